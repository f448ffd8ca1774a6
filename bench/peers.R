# SPDX-License-Identifier: BSD-3-Clause
# irlba, RSpectra and pcaMethods, for the benchmark; peers.py talks to it. First it says which are there, then it
# answers requests, words with tabs between: PROGRAM FILE OFFSET SIZE ROWS COLS K RESULT fits K components to the rows
# of a file of raw numbers of SIZE bytes from OFFSET on, and writes eigenvalues (divisor N-1) and components as raw
# doubles to RESULT, "-" for nowhere, for ppca also means and the rows with gaps (NaN) filled; "forget" lets go of the
# rows. The answer is "ok SECONDS", or "failed" and why.

options(warn = -1)
packages <- c("irlba", "RSpectra", "pcaMethods")
there <- packages[sapply(packages, requireNamespace, quietly = TRUE)]
cat(sapply(there, function(p) paste(p, packageVersion(p))), sep = "\t")
cat("\n")

kept <- new.env()

rows_of <- function(path, offset, size, n, d) {
    if (!identical(kept$path, path)) {
        kept$rows <- NULL
        file <- file(path, "rb")
        seek(file, offset)
        kept$rows <- t(matrix(readBin(file, "numeric", n * d, size), nrow = d))
        kept$rows[is.nan(kept$rows)] <- NA
        close(file)
        kept$path <- path
    }
    kept$rows
}

fits <- list(
    irlba = function(x, k) {
        found <- irlba::prcomp_irlba(x, n = k, retx = FALSE)
        list(values = found$sdev^2, components = found$rotation)
    },
    RSpectra = function(x, k) {
        found <- RSpectra::svds(x, k, nu = 0, nv = k, opts = list(center = TRUE, scale = FALSE))
        list(values = found$d^2 / (nrow(x) - 1), components = found$v)
    },
    ppca = function(x, k) {
        found <- pcaMethods::pca(x, method = "ppca", nPcs = k, seed = 1)
        list(values = apply(found@scores, 2, var), components = found@loadings,
             more = c(found@center, t(found@completeObs)))
    }
)

answer <- function(words) {
    if (words[1] == "forget") {
        rm(list = ls(kept), envir = kept)
        gc()
        return("ok 0")
    }
    numbers <- as.numeric(words[3:7])
    x <- rows_of(words[2], numbers[1], numbers[2], numbers[3], numbers[4])
    start <- proc.time()[["elapsed"]]
    found <- fits[[words[1]]](x, numbers[5])
    seconds <- proc.time()[["elapsed"]] - start
    if (words[8] != "-") {
        file <- file(words[8], "wb")
        writeBin(c(as.double(found$values), as.double(found$components), as.double(found$more)), file)
        close(file)
    }
    sprintf("ok %.6f", seconds)
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) == 1) {
    text <- tryCatch(answer(strsplit(line, "\t")[[1]]), error = function(e) paste("failed", conditionMessage(e)))
    cat(gsub("\n", " ", text), "\n", sep = "")
}
