package import Documents
internal import Identifiers

extension Artefact: Documented {
  package static let declaration = DocumentType(
    "Artefact",
    blank: Artefact(
      number: 0, app: "", release: Release(version: ""), package: AppPackage(.zip), fileName: "",
      size: 0, digest: "", md5: "", uploaded: Timestamp(seconds: 0))
  ) {
    DocumentMember(
      "number", \.number, .count, "The number within the app; its id for App Center's clients.",
      example: 42)
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("version", \.release.version, .text, example: "1.4.2")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember("file_name", \.fileName, .text, example: "tern.ipa")
    DocumentMember("size", \.size, .count, "In bytes.")
    DocumentMember("sha256", \.digest, .digest)
    DocumentMember("md5", \.md5, .text)
    DocumentMember("icon", optional: \.icon, .digest, "The SHA-256 of its icon.")
    DocumentMember("uploaded", \.uploaded, .time)
    DocumentMember(
      "enabled", \.isEnabled, .flag, "Whether it is offered to its recipients.")
    DocumentMember("notes", nonEmpty: \.notes, .text, "What is new.")
    DocumentMember(
      "destinations", \.destinations, .list(.document), "Groups and testers it is published to.")
    DocumentMember("branch", optional: \.source.branch, .text)
    DocumentMember("commit", optional: \.source.commit, .text)
    DocumentMember("commit_message", optional: \.source.message, .text)
    DocumentMember(
      "ed_signature", optional: \.edSignature, .text, "The signature for Sparkle, in base64.")
    DocumentMember("dsa_signature", optional: \.dsaSignature, .text, "The signature for Sparkle 1.")
    DocumentMember("package", \.package, .document, "Data about the app, read from the file.")
  }
}

extension Artefact.Destination: Documented {
  package static let declaration = DocumentType(
    "Destination", blank: Artefact.Destination(.group, id: "", isMandatory: false)
  ) {
    DocumentMember("type", \.kind, .word)
    DocumentMember("id", \.id, .text, "A UUID, of a distribution group or a tester.")
    DocumentMember("mandatory", \.isMandatory, .flag)
  }
}

extension DistributionGroup: Documented {
  package static let declaration = DocumentType(
    "DistributionGroup", blank: DistributionGroup(id: "", app: "", name: "", isPublic: false)
  ) {
    DocumentMember("id", \.id, .text, "A UUID.")
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("name", \.name, .text, example: "Beta")
    DocumentMember(
      "public", \.isPublic, .flag, "Whether everyone with the app gets its releases.")
  }
}

extension Tester: Documented {
  package static let declaration = DocumentType(
    "Tester", blank: Tester(id: "", email: "", groups: [], hasAccepted: false)
  ) {
    DocumentMember("id", \.id, .text, "A UUID.")
    DocumentMember("email", \.email, .text, example: "ada@example.org")
    DocumentMember("groups", \.groups, .list(.text), "The ids of the tester's groups.")
    DocumentMember("accepted", \.hasAccepted, .flag, "Whether an invitation was accepted.")
    DocumentMember(
      "invited_until", optional: \.invitedUntil, .time, "When the last open invitation expires.")
    DocumentMember(
      "last_seen", optional: \.lastSeen, .time,
      "When an app of the tester last asked for a private update, to the minute.")
    DocumentMember(
      "unsubscribed", \.isUnsubscribed, .flag, "Whether the tester refused further mails.",
      otherwise: false)
  }
}
