/* mpi_communicator.h - a communicator (io/communicator.h) over MPI. */
#ifndef RRM_MPI_COMMUNICATOR_H
#define RRM_MPI_COMMUNICATOR_H

#include "io/communicator.h"

/* That of all processes of MPI, which was begun; NULL when memory is short. */
struct communicator *mpi_communicator_new(void);

void mpi_communicator_free(struct communicator *communicator);

#endif
