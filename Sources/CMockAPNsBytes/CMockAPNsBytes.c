#include "CMockAPNsBytes.h"
