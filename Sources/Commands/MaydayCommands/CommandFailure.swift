/// A command that could not do what it was asked, in words for the user.
struct CommandFailure: Error {
  let message: String
  let code: ExitCode

  init(_ message: String, _ code: ExitCode = .failed) {
    self.message = message
    self.code = code
  }
}

/// A failure that was already printed.
struct AlreadyReported: Error {
  let code: ExitCode
}
