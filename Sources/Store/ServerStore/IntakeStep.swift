internal import Files

/// A step of storing a submission, after which other processes may do anything.
enum IntakeStep: CaseIterable, Sendable {
  /// Steps of a new file, see ``LockedFile/Step``.
  case made, locked, filled, named
  /// Steps of a submission: it is in the log, is synced, may be trusted by readers.
  case written, synced, published

  /// Passes the steps of a new file to `pause`.
  static func ofFile(_ pause: @escaping IntakePause) -> (LockedFile.Step) -> Void {
    { step in
      switch step {
      case .made: pause(.made)
      case .locked: pause(.locked)
      case .filled: pause(.filled)
      case .named: pause(.named)
      }
    }
  }
}

typealias IntakePause = @Sendable (IntakeStep) -> Void
