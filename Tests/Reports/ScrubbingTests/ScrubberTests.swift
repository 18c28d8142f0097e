import Bytes
import CrashModel
import Identifiers
import Patterns
import Testing

@testable import Scrubbing

@Suite struct ScrubberTests {
  private static func scrubber(_ text: String) throws -> Scrubber {
    try Scrubber(ScrubRules(parsing: ByteView(text.utf8)))
  }

  private static let all = "[scrub]\nuse = secrets\nuse = email\nuse = home\n"

  @Test(
    "What the lists take out",
    arguments: [
      ("login with password=hunter2&x=1", "login with password=[secret]&x=1"),
      (#"{"api_key": "ab\"cd", "n": 1}"#, #"{"api_key": "[secret]", "n": 1}"#),
      (#"{"m":"{\"token\":\"abc\"}"}"#, #"{"m":"{\"token\":\"[secret]\"}"}"#),
      ("Authorization: Bearer abcdef", "Authorization: [secret]"),
      ("Authorization: Basic dXNlcjpwYXNz\r\nHost: x", "Authorization: [secret]\r\nHost: x"),
      ("curl -H 'bearer 0123456789abcdef0'", "curl -H 'bearer [secret]'"),
      ("Cookie: a=b; c=d\nnext", "Cookie: [secret]\nnext"),
      ("postgres://jo:pw@db/x", "postgres://jo:[secret]@db/x"),
      ("id AKIAIOSFODNN7EXAMPLE.", "id [secret]."),
      (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY-----"
      ),
      ("from jo.smith+x@mail.example.com, again", "from [email], again"),
      ("two@163.com", "[email]"),
      ("/Users/jo/Library/x.dylib", "/Users/[user]/Library/x.dylib"),
      ("/Users/Jo Smith/Library", "/Users/[user]/Library"),
      ("in /home/jo and /tmp/x", "in /home/[user] and /tmp/x"),
      (#""\/Users\/jo\/x""#, #""\/Users\/[user]\/x""#),
      (#"C:\Users\Jo Smith\AppData"#, #"C:\Users\[user]\AppData"#),
      (#"C:\\Users\\jo\\x.dll"#, #"C:\\Users\\[user]\\x.dll"#),
    ])
  func lists(text: String, scrubbed: String) throws {
    let scrubber = try Self.scrubber(Self.all)
    #expect(scrubber.scrub(text) == scrubbed)
    #expect(scrubber.scrub(scrubbed) == scrubbed, "once more changes nothing")
  }

  @Test(
    "What they leave",
    arguments: [
      "icon@2x.png", "memcpy@GLIBC_2.14", "Unexpected token: <", "tokens used: 12",
      "KERN_INVALID_ADDRESS at 0x0", "-[NSURLSession init]", "/usr/lib/home/x", "a secret place",
      "https://example.com:8080/a@b", "$s4main8passwordyyF", #"{"token": 12345}"#,
    ])
  func left(text: String) throws {
    #expect(try Self.scrubber(Self.all).scrub(text) == text)
  }

  @Test("A report: what is replaced, and what stays")
  func report() throws {
    var report = CrashReport(format: .appleIPS)
    report.user = "jo@example.com"
    report.install = "1234"
    report.process.path = "/Users/jo/App"
    report.reason.message = "password=abc"
    report.reason.exception = LanguageException(
      type: "E", message: "of jo@example.com",
      frames: [Frame(position: .exact, function: "password=abc", file: "/home/jo/a.swift")],
      inner: [LanguageException(message: "secret=1234")])
    report.threads = [CrashThread(index: 0, name: "jo@example.com")]
    report.images = [LoadedImage(name: "App", path: "/Users/jo/App")]
    report.tags = [ReportTag("authToken"): "abc", .screen: "jo@example.com"]
    report.breadcrumbs = [
      Breadcrumb(time: Timestamp(seconds: 0), name: "tap", properties: ["password": "abc"])
    ]
    report.notes = ["/Users/jo/x is cut"]
    let scrubber = try Self.scrubber(Self.all)
    let scrubbed = scrubber.scrub(report)
    #expect(
      scrubbed.user?.hasPrefix("user-") == true && scrubbed.user == scrubber.user("jo@example.com"))
    #expect(scrubbed.install == "1234")
    #expect(scrubbed.process.path == "/Users/[user]/App")
    #expect(scrubbed.reason.message == "password=[secret]")
    #expect(scrubbed.reason.exception?.message == "of [email]")
    #expect(scrubbed.reason.exception?.frames.first?.file == "/home/[user]/a.swift")
    #expect(scrubbed.reason.exception?.frames.first?.function == "password=abc")
    #expect(scrubbed.reason.exception?.inner.first?.message == "secret=[secret]")
    #expect(scrubbed.threads.first?.name == "[email]")
    #expect(scrubbed.images.first?.path == "/Users/[user]/App")
    #expect(scrubbed.tags == [ReportTag("authToken"): "[secret]", .screen: "[email]"])
    #expect(scrubbed.breadcrumbs.first?.properties == ["password": "[secret]"])
    #expect(scrubbed.notes == ["/Users/[user]/x is cut"])
    #expect(scrubber.scrub(scrubbed) == scrubbed)
  }

  @Test("Files: text is scrubbed, other bytes are unchanged")
  func files() throws {
    let scrubber = try Self.scrubber("[scrub]\nsubmissions = scrub\n")
    let text = ByteView("token=abcdef\n".utf8)
    #expect(scrubber.scrub(file: text).text == "token=[secret]\n")
    #expect(scrubber.submission(text).text == "token=[secret]\n")
    let binary = ByteView(Array("token=abcdef".utf8) + [0, 0xff])
    #expect(scrubber.scrub(file: binary).array == binary.array)
    #expect(try Self.scrubber("").submission(text).text == "token=abcdef\n")
  }

  @Test("A file of rules: lists, own patterns and names; the version shows whether two are equal")
  func rules() throws {
    let own = try ScrubRules(
      parsing: ByteView(
        "[scrub]\nuse = none\nname = Customer-Number\n[patterns]\ncustomer = \\bK-\\d{4}\\b\n".utf8)
    )
    let scrubber = try Scrubber(own)
    #expect(scrubber.scrub("password=abc K-1234") == "password=abc [customer]")
    #expect(scrubber.value("7", of: "customer_number") == "[secret]")
    #expect(own.version != ScrubRules.standard.version)
    #expect(
      try ScrubRules(parsing: ByteView("[scrub]\nuse = secrets\n".utf8)).version
        == ScrubRules.standard.version)
  }

  @Test("Each line of the built-in lists is a rule, and a damaged one is an error that names it")
  func builtIn() throws {
    #expect(BuiltInRules.lists.map(\.rules.count) == [19, 1, 4] && BuiltInRules.names.count == 13)
    for list in BuiltInRules.lists {
      for rule in list.rules {
        #expect(throws: Never.self) { try ScrubPattern(rule.pattern) }
        #expect(!rule.pattern.contains("names}"), "\(rule.pattern) calls no pattern")
        #expect(rule.name.utf8.allSatisfy { ByteSet.word.contains($0) })
      }
    }
    for name in BuiltInRules.names {
      #expect(name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    }
    let rules = try BuiltInRules.rules(of: "# x\n\nkey = a|b\nsecret  ({key})=1  2\n")
    #expect(rules.map(\.name) == ["secret"] && rules.map(\.pattern) == ["(a|b)=1  2"])
    let error = #expect(throws: ScrubError.self) {
      try BuiltInRules.rules(of: "secret  a\nsecret a\n")
    }
    #expect(error?.line == 2)
  }

  @Test(
    "What is wrong in a file is named with its line",
    arguments: [
      ("[scrub]\nuse = all\n", 2), ("[scrub]\n\nsubmissions = drop\n", 3),
      ("[patterns]\nx = a(\n", 2), ("[patterns]\nx y = a\n", 2), ("[other]\nx = 1\n", 2),
      ("[scrub\n", 1), ("[scrub]\nname = -\n", 2),
    ])
  func wrong(text: String, line: Int) {
    let error = #expect(throws: ScrubError.self) { try ScrubRules(parsing: ByteView(text.utf8)) }
    #expect(error?.line == line)
  }
}
