import Bytes
import TestSupport
import Testing

@testable import CrashInput

@Suite struct MailFileTests {
  private static let crash = "Incident Identifier: 1\nthe stack\n"

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  private static func mail(_ parts: [String], boundary: String = "b") -> String {
    let body = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined()
    return """
      From: ann@example.org\r
      MIME-Version: 1.0\r
      Content-Type: multipart/mixed;\r
       boundary="\(boundary)"\r
      \r
      \(body)--\(boundary)--\r

      """
  }

  private static func attachment(_ name: String, _ text: String) -> String {
    """
    Content-Type: application/octet-stream\r
    Content-Disposition: attachment; \(name)\r
    Content-Transfer-Encoding: base64\r
    \r
    \(encoded(text))
    """
  }

  private static let words = "Content-Type: text/plain\r\n\r\nIt crashed."

  private func parts(_ text: String) throws -> [(name: String, text: String)] {
    let bytes = ByteView(text.utf8)
    try #require(MailFile.isMail(bytes))
    return (MailFile(bytes)?.parts ?? []).map { ($0.name, $0.bytes.bytes.text) }
  }

  @Test func `attachments are files, and the report comes first`() throws {
    let parts = try parts(
      Self.mail([
        Self.words, Self.attachment("filename=\"log.txt\"", "words"),
        Self.attachment("filename=\"a.crash\"", Self.crash),
      ]))
    #expect(parts.map(\.name) == ["a.crash", "message.txt", "log.txt"])
    #expect(parts.map(\.text) == [Self.crash, "It crashed.", "words"])
  }

  @Test func `quoted-printable text is decoded`() throws {
    let part = """
      Content-Disposition: attachment; filename=a.crash\r
      Content-Transfer-Encoding: quoted-printable\r
      \r
      a=3Db =\r
      c=C3=A4=zz
      """
    #expect(try parts(Self.mail([part])).map(\.text) == ["a=b cä=zz"])
  }

  @Test(
    arguments: [
      ("filename=\"../../etc/passwd\"", "passwd"), ("filename=\"C:\\\\x\\\\a.ips\"", "a.ips"),
      ("filename=\"..\"", "part-1"), ("filename*=utf-8''%C3%A4%20b.ips", "ä b.ips"),
      ("filename=\"=?utf-8?B?w6QuaXBz?=\"", "ä.ips"),
      ("filename*0=\"lon\"; filename*1=\"g.ips\"", "long.ips"), ("size=3", "part-1"),
    ])
  func `names of attachments have no folders`(parameter: String, name: String) throws {
    #expect(try parts(Self.mail([Self.attachment(parameter, "x")])).map(\.name) == [name])
  }

  @Test func `the mail in a mail is opened, but not without end`() throws {
    var mail = Self.mail([Self.attachment("filename=a.ips", "deep")])
    for depth in 1...3 {
      mail = Self.mail(["Content-Type: message/rfc822\r\n\r\n" + mail], boundary: "b\(depth)")
    }
    #expect(try parts(mail).map(\.text) == ["deep"])
    for depth in 4...40 {
      mail = Self.mail(
        [
          "Content-Type: message/rfc822\r\n\r\n" + mail,
          Self.attachment("filename=\"a\(depth).ips\"", "\(depth)"),
        ], boundary: "b\(depth)")
    }
    let file = try #require(MailFile(ByteView(mail.utf8)))
    #expect(file.problem?.hasPrefix("parts more than 8 deep") == true)
    #expect(file.parts.count < 8)
  }

  @Test func `the number of parts is bounded`() throws {
    let part = Self.attachment("filename=a.ips", "x")
    let file = try #require(
      MailFile(ByteView(Self.mail(Array(repeating: part, count: 1_200)).utf8)))
    #expect(file.parts.count <= 1_000)
    #expect(Set(file.parts.map(\.name)).count == file.parts.count)
  }

  @Test(
    arguments: [
      "just words", "From: a\nSubject: b\n\ntext", "",
      "Exception Type:  SIGSEGV\nContent-Type: multipart/x\nnot a header\n",
    ])
  func `other texts are not mails`(text: String) {
    #expect(!MailFile.isMail(ByteView(text.utf8)))
  }

  @Test func `a mail without attachments is left as it is`() {
    let mail = ByteView(Self.mail([Self.words]).utf8)
    #expect(MailFile.isMail(mail))
    #expect(MailFile(mail) == nil)
  }

  @Test func `every prefix and damage of a mail is read`() throws {
    let whole = Array(
      Self.mail([
        Self.words, Self.attachment("filename*0*=utf-8''%C3; filename*1=b", Self.crash),
        "Content-Type: message/rfc822\r\n\r\n"
          + Self.mail([Self.attachment("filename=x", "y")], boundary: "c"),
      ]).utf8)
    for count in 0...whole.count { _ = MailFile(ByteView(Array(whole.prefix(count)))) }
    var random = SplitMix(seed: TestSize.seed)
    for _ in 0..<TestSize.of(small: 200, all: 5_000) {
      var bytes = whole
      for _ in 0..<3 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      _ = MailFile(ByteView(bytes))
    }
  }

  @Test func `the walker hands over the files of a mail`() throws {
    let folder = ScratchFolder()
    folder.write(
      "a.eml",
      Self.mail([Self.words, Self.attachment("filename=\"a.crash\"", Self.crash)]).utf8)
    var found: [(path: String, owner: String?)] = []
    InputWalker().walk([folder.path("a.eml")]) {
      found.append(($0.path, $0.companion?.owner))
      #expect($0.isMember)
      return .next
    }
    let mail = folder.path("a.eml")
    #expect(found.map(\.path) == [mail + "!a.crash", mail + "!message.txt"])
    #expect(found.map(\.owner) == [nil, mail + "!a.crash"])
  }
}
