# SPDX-License-Identifier: BSD-3-Clause
# What the comparisons with R share: running the command, reading what it writes, and comparing numbers.

scree <- commandArgs(TRUE)[1]
failures <- 0
compared <- 0

run <- function(...) {
  arguments <- c(...)
  status <- system2(scree, shQuote(arguments), stdout = "out.txt", stderr = "err.txt")
  if (status != 0) stop("scree ", paste(arguments, collapse = " "), ": ", paste(readLines("err.txt"), collapse = "\n"))
}

# What a command writes as CSV, as numbers: the columns whose names begin so, followed by a component.
table_of <- function(...) {
  run(..., "-q", "-o", "table.csv")
  read.csv("table.csv", check.names = FALSE, na.strings = "nan")
}

part <- function(table, before, count) as.matrix(table[, paste0(before, seq_len(count)), drop = FALSE])

# Numbers must agree to the tolerance, of their own size where they are large.
expect <- function(what, found, wanted, tolerance) {
  found <- unname(as.matrix(found))
  wanted <- unname(as.matrix(wanted))
  compared <<- compared + length(wanted)
  error <- if (all(dim(found) == dim(wanted))) max(abs(found - wanted) / pmax(1, abs(wanted))) else Inf
  good <- !is.na(error) && error <= tolerance
  cat(sprintf("%-46s %5d numbers, off by %.1e%s\n", what, length(wanted), error, if (good) "" else "  TOO FAR"))
  if (!good) failures <<- failures + 1
}

finish <- function() {
  cat(sprintf("%d numbers compared, %d comparisons failed\n", compared, failures))
  quit(status = as.integer(failures > 0 || compared == 0))
}
