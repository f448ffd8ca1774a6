# SPDX-License-Identifier: BSD-3-Clause
# Columns, rows, supplementary rows, columns and groups of scree loadings equal FactoMineR's to 1e-10, on its own
# decathlon data: scaled and not, with and without supplementary rows, with weights. meaning.R SCREE
source(file.path(Sys.getenv("SRC"), "tests", "r", "common.R"))
suppressPackageStartupMessages(library(FactoMineR))
data(decathlon)

tolerance <- 1e-10
write <- function(rows, file, weights = NULL) {
  if (!is.null(weights)) rows <- cbind(rows, weight = weights)
  write.csv(rows, file, row.names = FALSE)
}

compare <- function(name, scaled, extra, weights = NULL) {
  active <- setdiff(seq_len(nrow(decathlon)), extra)
  write(decathlon[active, ], "active.csv", weights[active])
  write(decathlon[extra, ], "extra.csv", weights[extra])
  p <- PCA(decathlon, scale.unit = scaled, ncp = 10, quanti.sup = 11:12, quali.sup = 13, graph = FALSE,
           ind.sup = if (length(extra)) extra else NULL, row.w = weights[active])
  weigh <- if (is.null(weights)) NULL else c("--weights", "weight")
  columns <- paste(names(decathlon)[1:10], collapse = ",")
  run("fit", "active.csv", "--columns", columns, "-k", "all", "--scale", if (scaled) "unit" else "none", weigh,
      "-q", "-o", "model.scree")
  k <- ncol(p$var$coord)

  loadings <- part(table_of("loadings", "model.scree"), "pc", k)
  signs <- sign(colSums(loadings * p$var$coord)) # a component's sign means nothing
  turn <- function(x) sweep(as.matrix(x), 2, signs, `*`)
  say <- function(what) paste0(name, ": ", what)
  expect(say("var$coord"), turn(loadings), p$var$coord, tolerance)
  expect(say("var$cor"), turn(part(table_of("loadings", "model.scree", "--what", "correlations"), "pc", k)),
         p$var$cor, tolerance)
  expect(say("var$cos2"), part(table_of("loadings", "model.scree", "--what", "cos2"), "pc", k), p$var$cos2, tolerance)
  expect(say("var$contrib"), part(table_of("loadings", "model.scree", "--what", "contributions"), "pc", k),
         p$var$contrib, tolerance)
  expect(say("svd$V"), turn(part(table_of("loadings", "model.scree", "--what", "weights"), "pc", k)), p$svd$V,
         tolerance)

  rows <- table_of("loadings", "model.scree", "active.csv", "--training", weigh)
  expect(say("ind$coord"), turn(part(rows, "pc", k)), p$ind$coord, tolerance)
  expect(say("ind$cos2"), part(rows, "cos2_pc", k), p$ind$cos2, tolerance)
  expect(say("ind$contrib"), part(rows, "contribution_pc", k), p$ind$contrib, tolerance)
  expect(say("ind$dist"), rows$distance, p$ind$dist, tolerance)

  if (length(extra)) {
    rows <- table_of("loadings", "model.scree", "extra.csv")
    expect(say("ind.sup$coord"), turn(part(rows, "pc", k)), p$ind.sup$coord, tolerance)
    expect(say("ind.sup$cos2"), part(rows, "cos2_pc", k), p$ind.sup$cos2, tolerance)
    expect(say("ind.sup$dist"), rows$distance, p$ind.sup$dist, tolerance)
  }

  all <- table_of("loadings", "model.scree", "active.csv", "--supplementary", "Rank,Points,Competition", weigh)
  numbers <- all[all$column %in% c("Rank", "Points"), ]
  expect(say("quanti.sup$coord"), turn(part(numbers, "pc", k)), p$quanti.sup$coord, tolerance)
  expect(say("quanti.sup$cor"), turn(part(numbers, "correlation_pc", k)), p$quanti.sup$cor, tolerance)
  expect(say("quanti.sup$cos2"), part(numbers, "cos2_pc", k), p$quanti.sup$cos2, tolerance)
  groups <- all[all$column == "Competition" & !is.na(all$rows), ]
  stopifnot(identical(as.character(groups$group), rownames(p$quali.sup$coord)))
  expect(say("quali.sup$coord"), turn(part(groups, "pc", k)), p$quali.sup$coord, tolerance)
  expect(say("quali.sup$cos2"), part(groups, "cos2_pc", k), p$quali.sup$cos2, tolerance)
  expect(say("quali.sup$v.test"), turn(part(groups, "v_test_pc", k)), p$quali.sup$v.test, tolerance)
  expect(say("quali.sup$dist"), groups$distance, p$quali.sup$dist, tolerance)
  text <- all[all$column == "Competition" & is.na(all$rows), ]
  expect(say("quali.sup$eta2"), part(text, "eta2_pc", k), p$quali.sup$eta2, tolerance)
}

compare("scaled", TRUE, integer(0))
compare("scaled, supplementary rows", TRUE, c(3, 17, 40, 41))
compare("not scaled", FALSE, integer(0))
compare("not scaled, supplementary rows", FALSE, c(1, 20))
compare("weighted", TRUE, c(5, 6), weights = rep(c(1, 2, 4, 0.5), length.out = nrow(decathlon)))
finish()
