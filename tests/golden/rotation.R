# SPDX-License-Identifier: BSD-3-Clause
# Writes rotation_golden.h: loadings of principal components of a table that every R has, and what R's varimax and promax,
# and GPArotation's quartimax and oblimin, make of them, with 15 digits. Rscript rotation.R >rotation_golden.h
suppressPackageStartupMessages(library(GPArotation))

k <- 3
e <- eigen(cor(mtcars))
l <- e$vectors[, 1:k] %*% diag(sqrt(e$values[1:k]))
put <- function(name, x) {
  rows <- apply(x, 1, function(row) paste(sprintf("%.15g", row), collapse = ", "))
  cat(sprintf("static const double %s[] = {\n    %s,\n};\n", name, paste(rows, collapse = ",\n    ")))
}
tight <- function(method, ...) suppressWarnings(method(l, ..., eps = 1e-9, maxit = 3000))

v <- varimax(l, eps = 1e-15)
p <- promax(unclass(v$loadings))
cat("/* SPDX-License-Identifier: BSD-3-Clause */\n/* clang-format off */\n")
cat("/* Made by rotation.R, with", R.version.string, "and GPArotation", as.character(packageVersion("GPArotation")), "*/\n")
cat(sprintf("enum { GOLDEN_D = %d, GOLDEN_K = %d };\n", nrow(l), k))
put("golden_loadings", l)
put("golden_varimax", unclass(v$loadings))
put("golden_varimax_raw", unclass(varimax(l, normalize = FALSE, eps = 1e-15)$loadings))
put("golden_promax", unclass(p$loadings))
put("golden_promax_correlations", solve(crossprod(v$rotmat %*% p$rotmat)))
put("golden_quartimax", unclass(tight(quartimax, normalize = TRUE)$loadings))
o <- tight(oblimin, normalize = TRUE)
put("golden_oblimin", unclass(o$loadings))
put("golden_oblimin_correlations", o$Phi)
o <- tight(oblimin, normalize = FALSE)
put("golden_oblimin_raw", unclass(o$loadings))
cat("/* clang-format on */\n")
