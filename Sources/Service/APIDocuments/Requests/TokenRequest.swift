package import CrashService
package import Documents
internal import HTTP
package import ServerStore

/// The body of `POST /api/v1/tokens`.
package struct TokenRequest: Documented {
  package var label: String
  package var scopes: Set<TokenScope>
  package var app: String?
  package var length: TimeLength?

  package init(label: String, scopes: Set<TokenScope>, app: String?, length: TimeLength?) {
    self.label = label
    self.scopes = scopes
    self.app = app
    self.length = length
  }

  private static let refusal = HTTPError.invalidDocument(
    "a JSON object with label and scopes is required")
  private static let unknownScope = HTTPError.invalidDocument(
    "scopes are \(TokenScope.allCases.map(\.rawValue).joined(separator: ", "))")

  package static let declaration = DocumentType(
    "TokenRequest", blank: TokenRequest(label: "", scopes: [], app: nil, length: nil)
  ) {
    DocumentMember.text("label", \.label, orThrow: refusal)
    DocumentMember(
      "scopes", \.scopes,
      DocumentValue.texts(.scopes, atLeast: 1).map(
        write: { $0.map(\.rawValue).sorted() },
        read: { names in
          guard !names.isEmpty else { throw refusal }
          return Set(
            try names.map { name in
              guard let scope = TokenScope(rawValue: name) else { throw unknownScope }
              return scope
            })
        }), missing: refusal)
    DocumentMember(
      "app", optional: \.app, .appName(), "The only app that it is valid for.")
    DocumentMember(
      "for", optional: \.length,
      .reading(
        .length, orThrow: .invalidDocument("for must be a length of time such as 90d"),
        write: { $0.argument }, read: { TimeLength(argument: $0) }),
      "How long it is valid: 90d, 12h, 2w.")
  }
}
