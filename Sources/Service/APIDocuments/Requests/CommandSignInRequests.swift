package import Documents
internal import HTTP

/// The body of `POST /api/v1/sign-ins`: a command asks to be signed in.
package struct CommandSignInRequest: Documented, Equatable {
  /// The name that the page shows: the host on which the command runs.
  package var name: String

  package init(name: String) { self.name = name }

  package static let declaration = DocumentType(
    "CommandSignInRequest", blank: CommandSignInRequest(name: "")
  ) {
    DocumentMember.text(
      "name", \.name, "The name that the page shows, such as its host.",
      orThrow: .invalidDocument("name, which the page shows, is missing"))
  }
}

/// The body of `POST /api/v1/sign-ins/token`: a command asks whether it was signed in.
package struct CommandTokenRequest: Documented, Equatable {
  package var deviceCode: String

  package init(deviceCode: String) { self.deviceCode = deviceCode }

  package static let declaration = DocumentType(
    "CommandTokenRequest", blank: CommandTokenRequest(deviceCode: "")
  ) {
    DocumentMember.text(
      "device_code", \.deviceCode, "The code from the first answer.",
      orThrow: .invalidDocument("device_code is missing"))
  }
}
