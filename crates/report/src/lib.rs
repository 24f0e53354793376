//! What a release says about itself: the certificate and the trace.
