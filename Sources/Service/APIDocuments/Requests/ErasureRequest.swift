package import CrashService
package import Documents
internal import HTTP

/// The body of `POST /api/v1/erase`.
package struct ErasureRequest: Documented, Equatable {
  package var user: String?
  package var install: String?
  /// Whether it only counts.
  package var isDry: Bool

  package init(_ person: ErasedPerson, isDry: Bool) {
    switch person {
    case .user(let id): self.init(user: id, install: nil, isDry: isDry)
    case .install(let id): self.init(user: nil, install: id, isDry: isDry)
    }
  }

  /// The person whose data is erased, of a request that has passed its check.
  package var person: ErasedPerson { user.map { .user($0) } ?? .install(install ?? "") }

  package init(user: String?, install: String?, isDry: Bool) {
    self.user = user
    self.install = install
    self.isDry = isDry
  }

  package static let declaration = DocumentType(
    "ErasureRequest", blank: ErasureRequest(user: nil, install: nil, isDry: false)
  ) {
    DocumentMember("user", optional: \.user, .text(atLeast: 1))
    DocumentMember("install", optional: \.install, .text(atLeast: 1))
    DocumentMember(
      "dry_run", \.isDry, .flag, "Whether to count without deleting.", otherwise: false
    ).afterCheck()
  } check: { request in
    guard (request.user == nil) != (request.install == nil),
      (request.user ?? request.install)?.isEmpty == false
    else { throw HTTPError.invalidDocument("a JSON object with user or install is required") }
  }
}
