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
    DocumentMember(
      "name", \.name, .text(atLeast: 1), "The name that the page shows, such as its host.",
      missing: HTTPError.invalidDocument("name, which the page shows, is missing"))
  }
}

/// The body of `POST /api/v1/sign-ins/token`: a command asks whether it was signed in.
package struct CommandTokenRequest: Documented, Equatable {
  package var deviceCode: String

  package init(deviceCode: String) { self.deviceCode = deviceCode }

  package static let declaration = DocumentType(
    "CommandTokenRequest", blank: CommandTokenRequest(deviceCode: "")
  ) {
    DocumentMember(
      "device_code", \.deviceCode, .text(atLeast: 1), "The code from the first answer.",
      missing: HTTPError.invalidDocument("device_code is missing"))
  }
}
