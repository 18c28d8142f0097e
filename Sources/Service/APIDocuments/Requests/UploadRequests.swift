internal import CrashStore
package import Documents
package import HTTP

/// The body of `POST /api/v1/uploads`.
package struct NewUpload: Documented, Equatable {
  package enum Kind: String, CaseIterable, Sendable {
    case symbols, report
  }

  /// The number of bytes.
  package var size: Int
  /// SHA-256 in hexadecimal digits.
  package var digest: String
  package var kind: Kind
  package var name: String?
  package var app: String?
  package var version: String?
  package var bundle: String?

  package init(size: Int, digest: String, kind: Kind, name: String? = nil, app: String? = nil) {
    self.size = size
    self.digest = digest
    self.kind = kind
    self.name = name
    self.app = app
  }

  /// The refusal of a body without the members that describe the file.
  package static let refusal = HTTPError.invalidDocument(
    "size, sha256 (hexadecimal) and kind (symbols or report) are required")

  package static let declaration = DocumentType(
    "NewUpload", blank: NewUpload(size: 0, digest: "", kind: .report)
  ) {
    DocumentMember(
      "size", \.size,
      .integer(from: 1, through: max(APILimits.symbols.bytes, CrashStore.contentLimit)),
      missing: refusal)
    DocumentMember.reading(
      "sha256", \.digest, .digest, orThrow: refusal, write: { $0 }, read: { $0 })
    DocumentMember.reading(
      "kind", \.kind, .choice(Kind.allCases.map(\.rawValue)), orThrow: refusal,
      write: { $0.rawValue }, read: { Kind(rawValue: $0) })
    DocumentMember("name", optional: \.name, .text)
    DocumentMember("app", optional: \.app, .appName())
    DocumentMember("version", optional: \.version, .text, "Needs app.")
    DocumentMember(
      "bundle", optional: \.bundle, .text, "The release named by the file's dSYM bundle.")
  }
}

/// The body of `POST /api/v1/reports/known`.
package struct KnownReports: Documented, Equatable {
  /// SHA-256 in hexadecimal digits.
  package var digests: [String]
  package var app: String?

  package init(digests: [String], app: String?) {
    self.digests = digests
    self.app = app
  }

  package static let declaration = DocumentType(
    "KnownReports", blank: KnownReports(digests: [], app: nil)
  ) {
    DocumentMember.digests(\.digests)
    DocumentMember("app", optional: \.app, .text)
  }
}

/// The body of `POST /api/v1/symbols/known`.
package struct KnownDebugFiles: Documented, Equatable {
  /// SHA-256 in hexadecimal digits.
  package var digests: [String]
  package var app: String?
  /// Only files that belong to this release.
  package var version: String?

  package init(digests: [String], app: String?, version: String?) {
    self.digests = digests
    self.app = app
    self.version = version
  }

  package static let declaration = DocumentType(
    "KnownDebugFiles", blank: KnownDebugFiles(digests: [], app: nil, version: nil)
  ) {
    DocumentMember.digests(\.digests)
    DocumentMember("app", optional: \.app, .text)
    DocumentMember("version", optional: \.version, .text, "Needs app.")
  }
}

extension DocumentMember {
  /// The digests of files.
  fileprivate static func digests(
    _ path: any WritableKeyPath<Root, [String]> & Sendable
  ) -> DocumentMember {
    let refusal = HTTPError.invalidDocument(
      "digests must be a list of SHA-256 digests, at most \(APILimits.digests)")
    return DocumentMember(
      "digests", path,
      DocumentValue.texts(.digest, atMost: APILimits.digests).map(
        write: { $0 },
        read: { digests in
          guard digests.count <= APILimits.digests else { throw refusal }
          return digests
        }), "SHA-256 of each file.", missing: refusal)
  }
}
