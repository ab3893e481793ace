; SPDX-License-Identifier: MIT
.segment "VECTORS"
  .addr 0, 0, 0
