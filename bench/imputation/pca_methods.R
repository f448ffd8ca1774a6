# SPDX-License-Identifier: BSD-3-Clause
# pcaMethods' ppca and bpca, for the benchmark of imputation: FOLDER ROWS COLS SEED. Reads raw doubles from FOLDER/x, NaN
# for what is missing, and writes the table filled to FOLDER/ppca and FOLDER/bpca. The number of components is the one
# that predicts a tenth of the cells best, held out once.

suppressMessages(library(pcaMethods))
options(warn = -1)
words <- commandArgs(trailingOnly = TRUE)
rows <- as.numeric(words[2])
cols <- as.numeric(words[3])
set.seed(as.numeric(words[4]) + 1)
x <- t(matrix(readBin(file.path(words[1], "x"), "numeric", rows * cols), nrow = cols))
x[is.nan(x)] <- NA

fill <- function(x, method, k) {
    filled <- x
    filled[is.na(filled)] <- 0
    good <- rowSums(!is.na(x)) > 0
    vary <- apply(x[good, ], 2, function(column) length(unique(column[!is.na(column)])) > 1)
    part <- x[good, vary]
    found <- tryCatch({
        capture.output(answer <- pca(part, method = method, nPcs = k, scale = "none", center = TRUE, seed = 1))
        completeObs(answer)
    }, error = function(problem) NULL)
    if (is.null(found) || any(!is.finite(found)))
        return(NULL)
    filled[good, vary] <- found
    filled
}

held <- !is.na(x) & matrix(runif(rows * cols) < 0.1, rows)
without <- x
without[held] <- NA
most <- min(rows, cols) - 1
for (method in c("ppca", "bpca")) {
    best <- NULL
    least <- Inf
    for (k in unique(pmin(c(1, 2, 3, 5, 8, 12), most))) {
        if (method == "bpca" && rows * cols > 20000 && k > 5) next # an hour a table
        found <- fill(without, method, k)
        error <- if (is.null(found)) Inf else sum((found - x)[held]^2)
        if (error < least) {
            least <- error
            best <- k
        }
    }
    found <- if (is.null(best)) NULL else fill(x, method, best)
    if (!is.null(found)) {
        out <- file(file.path(words[1], method), "wb")
        writeBin(as.double(t(found)), out)
        close(out)
    }
}
