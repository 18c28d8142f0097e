/// A command that could not do what it was asked, in words for the user.
package struct CommandFailure: Error {
  package let message: String
  package let code: ExitCode

  package init(_ message: String, _ code: ExitCode = .failed) {
    self.message = message
    self.code = code
  }
}

/// A failure that was already printed.
package struct AlreadyReported: Error {
  package let code: ExitCode

  package init(code: ExitCode) { self.code = code }
}
