# SPDX-License-Identifier: BSD-3-Clause
# The pictures that docs/pictures.md sets side by side: factoextra's and scree's, of the same rows, 85 and 180 mm wide, with
# letters of 8 points in both.
#
#     Rscript bench/factoextra/pictures.R build/release/scree docs
#
# Needs R with FactoMineR and factoextra (Debian: r-cran-factominer, r-cran-factoextra).

suppressMessages({ library(FactoMineR); library(factoextra); library(ggplot2) })
arguments <- commandArgs(TRUE)
scree <- normalizePath(arguments[1])
docs <- normalizePath(arguments[2])
folder <- tempfile()
dir.create(folder)
here <- function(name) file.path(folder, name)
run <- function(...) stopifnot(system2(scree, c(...)) == 0)
draw <- function(model, data, name, ...) run("plot", "-q", model, data, "-o", file.path(docs, paste0("paper-", name, ".svg")), ...)
save <- function(plot, name, mm, high) {
  png(file.path(docs, paste0("factoextra-", name, ".png")), width = mm, height = high, units = "mm",
      res = if (mm < 100) 180 else 140, type = "cairo", family = "DejaVu Sans")
  print(plot)
  invisible(dev.off())
}
letters8 <- theme_minimal(base_size = 8)
small <- 2 # of names, 6 points; what is no multiple of a third becomes a colour

data(decathlon2)
active <- decathlon2[1:23, 1:10]
write.csv(data.frame(name = rownames(active), active), here("decathlon.csv"), row.names = FALSE, quote = FALSE)
run("fit", "-q", here("decathlon.csv"), "--id", "name", "--scale", "unit", "-o", here("decathlon.scree"))
theirs <- PCA(active, graph = FALSE)
biplot <- fviz_pca_biplot(theirs, repel = TRUE, labelsize = small, pointsize = 1, ggtheme = letters8)
save(biplot, "decathlon-85", 85, 80)
save(biplot, "decathlon-180", 180, 150)
save(fviz_eig(theirs, addlabels = TRUE, ggtheme = letters8), "variance-85", 85, 60)
save(fviz_pca_var(theirs, col.var = "cos2", repel = TRUE, labelsize = small, ggtheme = letters8), "circle-85", 85, 80)
rows <- c(here("decathlon.csv"), "--id", "name")
draw(here("decathlon.scree"), rows, "decathlon-85", "--kind", "biplot", "--layout", "column", "--no-title")
draw(here("decathlon.scree"), rows, "decathlon-180", "--kind", "biplot", "--layout", "page", "--no-title")
draw(here("decathlon.scree"), NULL, "variance-85", "--kind", "variance", "--layout", "column", "--no-title")
draw(here("decathlon.scree"), NULL, "circle-85", "--kind", "circle", "--colour-by", "cos2", "--layout", "column", "--no-title")

write.csv(iris, here("iris.csv"), row.names = FALSE, quote = FALSE)
run("fit", "-q", here("iris.csv"), "-o", here("iris.scree"))
flowers <- PCA(iris[, 1:4], scale.unit = FALSE, graph = FALSE)
ellipses <- fviz_pca_biplot(flowers, label = "var", habillage = iris$Species, addEllipses = TRUE, ellipse.type = "norm",
                            repel = TRUE, labelsize = small, pointsize = 1, ggtheme = letters8)
save(ellipses, "iris-85", 85, 60)
save(ellipses, "iris-180", 180, 120)
for (layout in list(c("85", "column"), c("180", "page")))
  draw(here("iris.scree"), here("iris.csv"), paste0("iris-", layout[1]), "--kind", "biplot", "--around", "normal", "--layout",
       layout[2], "--no-title")
