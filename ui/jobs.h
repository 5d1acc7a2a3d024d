/* jobs.h - background work: what is done while no key is pressed. */
#ifndef FXTOP_JOBS_H
#define FXTOP_JOBS_H

#include "ui/session.h"

/* Does what there is to do, job after job, until the task is over; true: there is more. Called
 * until it returns false, it leads to the same screen in every run. */
bool jobs_step(struct app *app, struct task *task);

#endif
