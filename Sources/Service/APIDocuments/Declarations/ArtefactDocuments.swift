package import CrashService
package import CrashStore
package import Documents
internal import Identifiers
package import Updates

extension InvitedTester: Documented {
  package static let declaration = DocumentType(
    "InvitedTester",
    blank: InvitedTester(
      tester: Tester(id: "", email: "", groups: [], hasAccepted: false), invitation: "",
      isMailed: false)
  ) {
    Tester.declaration.members(at: \InvitedTester.tester)
    DocumentMember(
      "invitation", \.invitation, .text, "The secret of the invitation, shown only once.")
    DocumentMember(
      "mailed", \.isMailed, .flag, "Whether it is mailed to the tester.", otherwise: false)
  }
}

extension TesterMail: Documented {
  package static let declaration = DocumentType(
    "TesterMail",
    blank: TesterMail(
      number: 0, name: "", app: "", tester: "", email: "", kind: .invitation, author: "",
      created: Timestamp(seconds: 0), state: .waiting)
  ) {
    DocumentMember("number", \.number, .count, "The number within the app.", example: 7)
    DocumentMember("id", \.name, .text, "A UUID, the start of the mail's Message-ID.")
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("tester", \.tester, .text, "The tester's id.")
    DocumentMember("email", \.email, .text, example: "ada@example.org")
    DocumentMember("kind", \.kind, .word)
    DocumentMember("author", \.author, .text, "Who invited, or published.", example: "ci")
    DocumentMember("created", \.created, .time)
    DocumentMember("state", \.state, .word)
    DocumentMember("due", optional: \.due, .time, "When it is tried, while it waits.")
    DocumentMember("finished", optional: \.finished, .time)
    DocumentMember("attempts", \.attempts, .count)
    DocumentMember(
      "answer", optional: \.answer, .text, "The mail server's last response, or the reason.",
      example: "250")
    DocumentMember(
      "files", \.artefacts, .list(.count), "The numbers of its release files.",
      otherwise: [])
  }
}

extension ReleaseWarning: Documented {
  package static let declaration = DocumentType(
    "ReleaseWarning", blank: ReleaseWarning(number: 0, kind: .lookup, text: "")
  ) {
    DocumentMember("number", \.number, .count, "The number of the file.", example: 42)
    DocumentMember("kind", \.kind, .word, "What keeps clients from it.", example: "app-bundle")
    DocumentMember(
      "text", \.text, .text, "What keeps clients from it, and what follows, in words.")
  }
}

extension DistributionEvent: Documented {
  package static let declaration = DocumentType(
    "DistributionEvent",
    blank: DistributionEvent(
      release: Release(version: ""), time: Timestamp(seconds: 0), author: "", kind: .added,
      detail: "")
  ) {
    DocumentMember("time", \.time, .time)
    DocumentMember("author", \.author, .text, example: "ada")
    DocumentMember("event", \.kind, .word, example: "published")
    DocumentMember(
      "version", nonEmpty: \.release.version, .text, "The version of the affected release.",
      example: "1.4.2")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember("detail", nonEmpty: \.detail, .text, example: "#42 to Beta")
  }
}

extension CheckExplanation: Documented {
  package static let declaration = DocumentType(
    "CheckExplanation",
    blank: CheckExplanation(
      app: "", platform: .iOS, installed: Release(version: ""), result: .none, reason: "",
      files: [])
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("platform", \.platform, .word)
    DocumentMember(
      "version", nonEmpty: \.installed.version, .text, "The version of the installed release.",
      example: "1.4.2")
    DocumentMember("build", nonEmpty: \.installed.build, .text, example: "512")
    DocumentMember("result", \.result, .word, "What the client does with the answer.")
    DocumentMember("reason", \.reason, .text, "The result in a sentence.")
    DocumentMember(
      "offered", optional: \.offered, .count, "The number of the offered file.", example: 42)
    DocumentMember("mandatory", \.isMandatory, .flag)
    DocumentMember(
      "fix", optional: \.fix, .text, "The group of the crash that it fixes.", example: "TERN-12")
    DocumentMember(
      "files", \.files, .list(.document), "All files of the app, the last one added first.")
  }
}

extension CheckExplanation.File: Documented {
  package static let declaration = DocumentType(
    "CheckedFile",
    blank: CheckExplanation.File(
      number: 0, release: Release(version: ""), verdict: .earlier, reason: "")
  ) {
    DocumentMember("number", \.number, .count, example: 42)
    DocumentMember("version", \.release.version, .text, example: "1.4.2")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember("verdict", \.verdict, .word, "Why it is offered or not.")
    DocumentMember("reason", \.reason, .text, example: "disabled")
  }
}
