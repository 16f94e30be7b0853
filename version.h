/* version.h - of the programs and of the man pages. */
#ifndef RRM_VERSION_H
#define RRM_VERSION_H

#define RRM_VERSION "librrm 0.2.0"
#define RRM_DATE "2026-11-22"

#endif
