/* mpi_communicator.h - a communicator (io/communicator.h) over MPI. */
#ifndef RRM_MPI_COMMUNICATOR_H
#define RRM_MPI_COMMUNICATOR_H

#include "io/communicator.h"

#include <mpi.h>

/* That of all processes of MPI, which was begun; NULL when memory is short. */
struct communicator *mpi_communicator_new(void);

/* Whether all processes of GROUP come here within so many milliseconds; 0: without end. This one sleeps meanwhile. */
bool mpi_all_come(MPI_Comm group, int milliseconds);

void mpi_communicator_free(struct communicator *communicator);

#endif
