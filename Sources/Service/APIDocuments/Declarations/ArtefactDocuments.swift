package import CrashService
package import CrashStore
package import Documents
internal import Identifiers
internal import Updates

extension InvitedTester: Documented {
  package static let declaration = DocumentType(
    "InvitedTester",
    blank: InvitedTester(
      tester: Tester(id: "", email: "", groups: [], hasAccepted: false), invitation: "")
  ) {
    Tester.declaration.members(at: \InvitedTester.tester)
    DocumentMember(
      "invitation", \.invitation, .text, "The secret of the invitation, shown only once.")
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
