#pragma once

// Some programs include this one by name.

#include "heffte.h"
