/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that other systems have for what is done here: scikit-learn, R, MATLAB and Julia. Who types one of them as a
 * command is told the one that is meant, with a line that runs. docs/from.md says more. */

#include "cli.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    const char *what; /* what it does there, in words of ours */
    const char *line; /* what does it here */
} names[] = {
    {"transform", "coordinates of rows", "scree project MODEL.scree DATA.csv -o codes.csv"},
    {"predict", "coordinates of new rows", "scree project MODEL.scree NEW.csv -o codes.csv"},
    {"scores", "coordinates of rows", "scree project MODEL.scree DATA.csv -o codes.csv"},
    {"embed", "coordinates of rows", "scree project MODEL.scree DATA.csv -o codes.csv"},
    {"encode", "coordinates of rows", "scree project MODEL.scree DATA.csv -o codes.csv"},
    {"decode", "rows from codes", "scree reconstruct MODEL.scree codes.csv -o rows.csv"},
    {"inverse_transform", "rows from codes", "scree reconstruct MODEL.scree codes.csv -o rows.csv"},
    {"inverse-transform", "rows from codes", "scree reconstruct MODEL.scree codes.csv -o rows.csv"},
    {"fit_transform", "a fit, and then coordinates",
     "scree fit DATA.csv -k 2 -o MODEL.scree && scree project MODEL.scree DATA.csv -o codes.csv"},
    {"fit-transform", "a fit, and then coordinates",
     "scree fit DATA.csv -k 2 -o MODEL.scree && scree project MODEL.scree DATA.csv -o codes.csv"},
    {"partial_fit", "a fit to rows as they come", "scree fit - -k 2 --online -o MODEL.scree"},
    {"score_samples", "the log-likelihood of each row", "scree score MODEL.scree DATA.csv -o scores.csv"},
    {"get_covariance", "the model in numbers", "scree info MODEL.scree --json"},
    {"PCA", "a fit", "scree fit DATA.csv -k 2 -o MODEL.scree"},
    {"PPCA", "a fit, which is always probabilistic", "scree fit DATA.csv -k 2 -o MODEL.scree"},
    {"svd", "a fit", "scree fit DATA.csv -k 2 --solver svd -o MODEL.scree"},
    {"train", "a fit", "scree fit DATA.csv -k 2 -o MODEL.scree"},
    {"prcomp", "a fit, with the divisor N - 1", "scree fit DATA.csv --ddof 1 -o MODEL.scree"},
    {"princomp", "a fit, with the divisor N", "scree fit DATA.csv -o MODEL.scree"},
    {"principal", "a fit to standardised columns", "scree fit DATA.csv --scale unit -o MODEL.scree"},
    {"pcacov", "a fit", "scree fit DATA.csv --ddof 1 -o MODEL.scree"},
    {"pcares", "what components leave of rows", "scree reconstruct MODEL.scree --data DATA.csv -o kept.csv"},
    {"summary", "the eigenvalues and their shares", "scree info MODEL.scree"},
    {"show", "the eigenvalues and their shares", "scree info MODEL.scree"},
    {"eigenvalues", "the eigenvalues and their shares", "scree info MODEL.scree"},
    {"explained_variance", "the eigenvalues and their shares", "scree info MODEL.scree"},
    {"screeplot", "a picture of the eigenvalues", "scree plot MODEL.scree -o eigenvalues.svg"},
    {"fviz_eig", "a picture of the eigenvalues", "scree plot MODEL.scree -o eigenvalues.svg"},
    {"biplot", "a picture of rows and columns", "scree plot MODEL.scree DATA.csv --kind biplot -o biplot.svg"},
    {"autoplot", "a picture of rows", "scree plot MODEL.scree DATA.csv -o rows.svg"},
    {"fill", "missing values filled", "scree impute MODEL.scree DATA.csv -o filled.csv"},
    {"fillna", "missing values filled", "scree impute MODEL.scree DATA.csv -o filled.csv"},
    {"parallel", "the number of components by parallel analysis", "scree select DATA.csv"},
    {"anomaly", "outliers", "scree score MODEL.scree NEW.csv --why 2 -o scores.csv"},
    {"outliers", "outliers", "scree score MODEL.scree NEW.csv --why 2 -o scores.csv"},
    {"generate", "random rows", "scree sample MODEL.scree -n 10 -o rows.csv"},
    {"varimax", "a rotation of the components", "scree rotate MODEL.scree --method varimax -k 2 -o ROTATED.scree"},
    {"promax", "a rotation of the components", "scree rotate MODEL.scree --method promax -k 2 -o ROTATED.scree"},
    {"oblimin", "a rotation of the components", "scree rotate MODEL.scree --method oblimin -k 2 -o ROTATED.scree"},
};

/* The command of a line: its second word. */
static bool is_there(const char *line)
{
    char word[24];
    return sscanf(line, "scree %23s", word) == 1 && cli_command_find(word);
}

bool cli_elsewhere_print(FILE *out, const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, name) == 0 && is_there(names[i].line)) {
            cli_print(out, "scree: there is no command '%s'; for %s, run: %s\n", name, names[i].what, names[i].line);
            return true;
        }
    return false;
}
