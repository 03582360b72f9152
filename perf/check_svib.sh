#!/bin/sh
# Is every task of SVIB right at every alpha? 500 episodes of each are generated, verified and shown.
#
#     sh perf/check_svib.sh FOLDER [WORLD]...
#
# The folder keeps a sheet of each task; episodes are deleted once they are verified. Flat sprites take minutes; a task
# in 3-D takes about a minute and a half of CPU time where there is no graphics processor, as all is rendered twice.

folder=$1
shift
failed=0
for world in ${@:-dsprites clevr clevrtex}; do
    for rule in sa sna ma mna; do
        for alpha in 0 0.2 0.4 0.6; do
            task=svib/$world-$rule
            data=$folder/$world-$rule-$alpha
            unseen generate "$task" alpha=$alpha --split train --split test_ood --count 250 --workers 1 --out "$data" &&
                printf '%s alpha=%s: ' "$task" "$alpha" &&
                unseen verify "$data" --workers 1 &&
                unseen show "$data" test_ood --count 8 --no-inline --out "$data.png" || failed=1
            rm -rf "$data"
        done
    done
done
exit $failed
