package import Documents
internal import HTTP

/// A request about a tester: the app and the tester's address are in the body.
package protocol TesterRequest: Documented {
  var app: String { get set }
  var email: String { get set }
}

extension DocumentMember where Root: TesterRequest {
  /// The app, and the tester's address.
  @DocumentBuilder<Root> static var tester: [DocumentMember] {
    DocumentMember("app", \.app, .appName(atLeast: 1), "The app.", missing: refusal)
    DocumentMember.text("email", \.email, "The tester's address.", orThrow: refusal)
  }

  private static var refusal: HTTPError {
    .invalidDocument("app and email, the tester's address, are required")
  }
}

/// The body of `POST /api/v1/testers/invite`.
package struct TesterInvitation: TesterRequest, Equatable {
  package var app: String
  package var email: String
  package var group: String
  package var mails: Bool?

  package init(app: String, email: String, group: String, mails: Bool? = nil) {
    self.app = app
    self.email = email
    self.group = group
    self.mails = mails
  }

  package static let declaration = DocumentType(
    "TesterInvitation", blank: TesterInvitation(app: "", email: "", group: "")
  ) {
    DocumentMember.tester
    DocumentMember.text(
      "group", \.group, orThrow: .invalidDocument("group is missing", "group"))
    DocumentMember("mail", optional: \.mails, .flag, InvitationResending.mailText)
  }
}

/// The body of `POST /api/v1/testers/resend`.
package struct InvitationResending: TesterRequest, Equatable {
  package var app: String
  package var email: String
  package var mails: Bool?

  package init(app: String, email: String, mails: Bool? = nil) {
    self.app = app
    self.email = email
    self.mails = mails
  }

  fileprivate static let mailText =
    "Whether it is mailed to the tester. Default: where a mail server is set up."

  package static let declaration = DocumentType(
    "InvitationResending", blank: InvitationResending(app: "", email: "")
  ) {
    DocumentMember.tester
    DocumentMember("mail", optional: \.mails, .flag, mailText)
  }
}

/// The body of `POST /api/v1/testers/remove`.
package struct TesterRemoval: TesterRequest, Equatable {
  package var app: String
  package var email: String
  package var group: String?

  package init(app: String, email: String, group: String?) {
    self.app = app
    self.email = email
    self.group = group
  }

  package static let declaration = DocumentType(
    "TesterRemoval", blank: TesterRemoval(app: "", email: "", group: nil)
  ) {
    DocumentMember.tester
    DocumentMember(
      "group", optional: \.group, .text(atLeast: 1), "The group. Default: all of the app.")
  }
}

/// The body of `POST /api/v1/testers/revoke`.
package struct TesterRevocation: TesterRequest, Equatable {
  package var app: String
  package var email: String
  package var onlyInvitations: Bool
  /// ``onlyInvitations``, left out where it is `false`: a server of version 0.1.0 knows no such member.
  private var invitations: Bool? {
    get { onlyInvitations ? true : nil }
    set { onlyInvitations = newValue ?? false }
  }

  package init(app: String, email: String, onlyInvitations: Bool = false) {
    self.app = app
    self.email = email
    self.onlyInvitations = onlyInvitations
  }

  package static let declaration = DocumentType(
    "TesterRevocation", blank: TesterRevocation(app: "", email: "")
  ) {
    DocumentMember.tester
    DocumentMember(
      "only_invitations", optional: \.invitations, .flag,
      "Whether sessions and update tokens stay. Default: no.")
  }
}
