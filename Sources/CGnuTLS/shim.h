#pragma once
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
