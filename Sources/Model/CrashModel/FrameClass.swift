/// The meaning of a frame for a crash. Each frame has exactly one class.
public enum FrameClass: String, Hashable, Sendable {
  /// Only how the process died: `abort`, panic machinery, memory routines, crash reporters.
  case death
  /// The bottom of a thread or an event loop.
  case base
  /// Indirection: containers, closures, signal emission, thunks, reflection.
  case glue
  /// A named function of the platform.
  case system
  /// No function, but a known module.
  case unknown
  /// The app's own code.
  case app
  /// No function and no module.
  case void
}
