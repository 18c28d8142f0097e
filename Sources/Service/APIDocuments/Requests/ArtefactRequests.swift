package import CrashService
package import CrashStore
package import Documents
internal import HTTP

/// A request about a release file: the app and the file's number are in the body.
package protocol ArtefactRequest: Documented {
  var app: String { get set }
  var number: Int { get set }
}

extension DocumentMember where Root: ArtefactRequest {
  private static var refusal: HTTPError {
    .invalidDocument("app and number, the number of the file, are required")
  }

  /// The app, and the number of the file.
  @DocumentBuilder<Root> static var artefact: [DocumentMember] {
    DocumentMember("app", \.app, .appName(atLeast: 1), "The app.", missing: refusal)
      .afterCheck()
    DocumentMember("number", \.number, .integer(from: 1), "The file's number.", missing: refusal)
      .afterCheck()
  }

  /// The groups and testers of an audience.
  @DocumentBuilder<Root> static func audience(
    _ path: any WritableKeyPath<Root, ArtefactAudience> & Sendable
  ) -> [DocumentMember] {
    ArtefactAudience.recipients.members(at: path)
  }
}

extension ArtefactAudience {
  /// The groups and testers.
  fileprivate static let recipients = DocumentType("Recipients", blank: ArtefactAudience()) {
    DocumentMember("groups", \.groups, .texts(atMost: 100), "Names or ids.", otherwise: [])
    DocumentMember("testers", \.testers, .texts(atMost: 100), "Email addresses.", otherwise: [])
  }

  /// ``isNotified``, left out where it is `false`: a server of version 0.1.0 knows no such member.
  fileprivate var notify: Bool? {
    get { isNotified ? true : nil }
    set { isNotified = newValue ?? false }
  }

  /// - Throws: `HTTPError` if it is empty.
  fileprivate func check() throws {
    guard !groups.isEmpty || !testers.isEmpty else {
      throw HTTPError.invalidDocument("at least one group or tester is required")
    }
  }
}

/// The body of `POST /api/v1/artefacts/edit`.
package struct ArtefactEdit: ArtefactRequest, Equatable {
  package var app: String
  package var number: Int
  package var edit: CrashStore.Distribution.Edit

  package init(app: String, number: Int, edit: CrashStore.Distribution.Edit) {
    self.app = app
    self.number = number
    self.edit = edit
  }

  package static let declaration = DocumentType(
    "ArtefactEdit", blank: ArtefactEdit(app: "", number: 0, edit: CrashStore.Distribution.Edit())
  ) {
    DocumentMember.artefact
    DocumentMember("notes", optional: \.edit.notes, .text, "The release notes.")
    DocumentMember(
      "enabled", optional: \.edit.isEnabled, .flag,
      "Whether it is offered to its groups and testers.")
    DocumentMember(
      "ed_signature", optional: \.edit.edSignature, .text,
      "Sparkle's signature, in base64; empty for none.")
    DocumentMember(
      "dsa_signature", optional: \.edit.dsaSignature, .text,
      "Sparkle 1's signature; empty for none.")
  }
}

/// The body of `POST /api/v1/artefacts/publish`.
package struct ArtefactPublication: ArtefactRequest, Equatable {
  package var app: String
  package var number: Int
  package var audience: ArtefactAudience

  package init(app: String, number: Int, audience: ArtefactAudience) {
    self.app = app
    self.number = number
    self.audience = audience
  }

  package static let declaration = DocumentType(
    "ArtefactPublication",
    blank: ArtefactPublication(app: "", number: 0, audience: ArtefactAudience())
  ) {
    DocumentMember.artefact
    DocumentMember.audience(\.audience)
    DocumentMember(
      "mandatory", \.audience.isMandatory, .flag, "Whether clients have to install it.",
      otherwise: false)
    DocumentMember(
      "notify", optional: \.audience.notify, .flag,
      "Whether its testers get a mail, each one for each file. Default: no.")
  } check: {
    try $0.audience.check()
  }
}

/// The body of `POST /api/v1/artefacts/withdraw`.
package struct ArtefactWithdrawal: ArtefactRequest, Equatable {
  package var app: String
  package var number: Int
  package var audience: ArtefactAudience

  package init(app: String, number: Int, audience: ArtefactAudience) {
    self.app = app
    self.number = number
    self.audience = audience
  }

  package static let declaration = DocumentType(
    "ArtefactWithdrawal",
    blank: ArtefactWithdrawal(app: "", number: 0, audience: ArtefactAudience())
  ) {
    DocumentMember.artefact
    DocumentMember.audience(\.audience)
  } check: {
    try $0.audience.check()
  }
}

/// The body of `POST /api/v1/artefacts/remove`.
package struct ArtefactRemoval: ArtefactRequest, Equatable {
  package var app: String
  package var number: Int

  package init(app: String, number: Int) {
    self.app = app
    self.number = number
  }

  package static let declaration = DocumentType(
    "ArtefactRemoval", blank: ArtefactRemoval(app: "", number: 0)
  ) { DocumentMember.artefact }
}
