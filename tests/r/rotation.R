# SPDX-License-Identifier: BSD-3-Clause
# Loadings and correlations of factors of scree rotate equal R's to 1e-6, with L = U sqrt(eigenvalue): varimax(L, eps =
# 1e-15), promax of it, and quartimax and oblimin of GPArotation; on data that every R has. Order and sign of factors mean
# nothing: scree's are matched with R's. rotation.R SCREE
source(file.path(Sys.getenv("SRC"), "tests", "r", "common.R"))
suppressPackageStartupMessages(library(GPArotation))

tolerance <- 1e-6

# Columns of found in the order, and with the signs, of those of wanted.
match_columns <- function(found, wanted) {
  k <- ncol(wanted)
  similar <- crossprod(found, wanted) / sqrt(outer(colSums(found^2), colSums(wanted^2)))
  order <- integer(k)
  for (i in seq_len(k)) {
    at <- which(abs(similar) == max(abs(similar)), arr.ind = TRUE)[1, ]
    order[at[2]] <- at[1] * sign(similar[at[1], at[2]])
    similar[at[1], ] <- 0
    similar[, at[2]] <- 0
  }
  order
}

compare <- function(name, method, wanted, phi = NULL, ...) {
  k <- ncol(wanted)
  run("rotate", "model.scree", "-k", k, "--method", method, ..., "-q", "-o", "rotated.scree")
  found <- part(table_of("loadings", "rotated.scree"), "rc", k)
  structure <- part(table_of("loadings", "rotated.scree", "--what", "structure"), "rc", k)
  order <- match_columns(found, wanted)
  turn <- function(x) sweep(x[, abs(order), drop = FALSE], 2, sign(order), `*`)
  expect(paste0(name, ", k = ", k, ": ", method, " ", paste(..., collapse = " ")), turn(found), wanted, tolerance)
  if (!is.null(phi)) expect("  structure", turn(structure), wanted %*% phi, tolerance)
}

all_methods <- function(name, data, counts, scaled) {
  write.csv(data, "data.csv", row.names = FALSE)
  run("fit", "data.csv", "-k", "all", "--scale", if (scaled) "unit" else "none", "-q", "-o", "model.scree")
  for (k in counts) {
    l <- part(table_of("loadings", "model.scree"), "pc", k)
    v <- varimax(l, eps = 1e-15)
    compare(name, "varimax", unclass(v$loadings))
    compare(name, "varimax", unclass(varimax(l, normalize = FALSE, eps = 1e-15)$loadings), NULL, "--no-kaiser")
    p <- promax(unclass(v$loadings))
    m <- v$rotmat %*% p$rotmat
    compare(name, "promax", unclass(p$loadings), solve(crossprod(m)))
    p3 <- promax(unclass(v$loadings), m = 3)
    compare(name, "promax", unclass(p3$loadings), solve(crossprod(v$rotmat %*% p3$rotmat)), "--power", "3")
    for (kaiser in c(TRUE, FALSE)) {
      raw <- if (kaiser) NULL else "--no-kaiser"
      q <- quartimax(l, normalize = kaiser, eps = 1e-8, maxit = 1000)
      compare(name, "quartimax", unclass(q$loadings), NULL, raw)
      o <- oblimin(l, normalize = kaiser, eps = 1e-8, maxit = 1000)
      compare(name, "oblimin", unclass(o$loadings), o$Phi, raw)
    }
    g <- oblimin(l, gam = -0.5, normalize = TRUE, eps = 1e-8, maxit = 1000)
    compare(name, "oblimin", unclass(g$loadings), g$Phi, "--gamma", "-0.5")
  }
}

if (requireNamespace("FactoMineR", quietly = TRUE)) {
  data(decathlon, package = "FactoMineR")
  all_methods("decathlon", decathlon[, 1:10], 2:4, TRUE)
}
all_methods("mtcars", mtcars, 3, TRUE)
all_methods("swiss", swiss, 2:3, TRUE)
all_methods("iris, not scaled", iris[, 1:4], 2, FALSE)
finish()
