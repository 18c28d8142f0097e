import Bytes
import CrashModel
import Grouping
import Identifiers
import ReportFormats
import Testing

/// Errors that apps of Apple's systems report by App Center's SDK, which sends the call stack twice: as text,
/// and as frames that it made from the text by splitting lines at spaces, full stops and brackets.
@Suite("Handled errors of Apple's apps") struct AppleHandledErrorTests {
  /// A line of the call stack.
  struct Line {
    var image: String
    var address: UInt64
    /// `-[Shop sell:] + 16`, `Heron + 16840`.
    var call: String

    init(_ image: String, _ address: UInt64, _ call: String) {
      self.image = image
      self.address = address
      self.call = call
    }

    func text(_ index: Int) -> String {
      let digits = String(address, radix: 16)
      let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
      return "\(index)   \(image)\(String(repeating: " ", count: max(1, 35 - image.utf8.count))) "
        + "0x\(padded) \(call)"
    }

    /// The frame that the SDK makes of it: none for a line of fewer than six parts.
    func divided(_ index: Int) -> String? {
      let parts = text(index).split { " -[]+?.,".contains($0) }.map(String.init)
      guard parts.count > 5 else { return nil }
      return """
        {"fileName": "\(parts[1])", "address": "\(parts[2])", "className": "\(parts[3])", \
        "methodName": "\(parts[4])"}
        """
    }
  }

  /// The two formats of a list of texts.
  enum Form: CaseIterable {
    /// The format of the list that the system makes of a stack.
    case plain
    /// The format of any list: in quotation marks, with commas.
    case quoted
  }

  static func log(
    _ lines: [Line], type: String = "NSCocoaErrorDomain", form: Form = .plain,
    version: String = "1.4.0", build: String = "512", hasText: Bool = true, hasFrames: Bool = true
  ) -> String {
    let texts = lines.enumerated().map { $1.text($0) }
    let body =
      switch form {
      case .plain: texts.map { "\\t\($0)" }.joined(separator: "\\n")
      case .quoted: texts.map { "    \\\"\($0)\\\"" }.joined(separator: ",\\n")
      }
    let stack = hasText ? #", "stackTrace": "(\n\#(body)\n)""# : ""
    let frames = hasFrames ? lines.enumerated().compactMap { $1.divided($0) } : []
    return """
      {"logs": [{"type": "handledError", "timestamp": "2026-03-02T10:14:00.000Z",
        "id": "d3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a15",
        "device": {"sdkName": "appcenter.ios", "sdkVersion": "5.0.4", "model": "iPhone14,5", "osName": "iOS",
          "osVersion": "17.2.1", "appVersion": "\(version)", "appBuild": "\(build)",
          "appNamespace": "com.example.heron"},
        "exception": {"type": "\(type)", "message": "x"\(stack), "frames": [\(frames.joined(separator: ", "))]}}]}
      """
  }

  static func report(_ log: String) throws -> CrashReport {
    try #require(FormatRegistry.builtIn.reports(in: ByteView(log.utf8)).first)
  }

  static func signature(_ log: String, app: String = "Heron") throws -> Signature {
    Signer(rules: .standard).signature(of: try report(log), app: app)
  }

  /// The SDK's own calls, and the callers of the app.
  static func stack(_ own: [Line], slide: UInt64 = 0) -> [Line] {
    [
      Line("AppCenterCrashes", 0x1_04b0_d4a8 + slide, "-[MSACExceptionModel initWithError:] + 120"),
      Line(
        "AppCenterCrashes", 0x1_04b0_e0a0 + slide,
        "+[MSACCrashes trackError:withProperties:attachments:] + 84"),
    ] + own + below(slide)
  }

  static func below(_ slide: UInt64) -> [Line] {
    [
      Line(
        "libdispatch.dylib", 0x1_a1c1_a4d8 + slide, "_dispatch_call_block_and_release + 32"),
      Line(
        "UIKitCore", 0x1_a4f2_e0cc + slide, "-[UIApplication sendAction:to:from:forEvent:] + 96"),
      Line("UIKitCore", 0x1_a4f2_e0d0 + slide, "UIApplicationMain + 340"),
    ]
  }

  @Test(
    "Every line of the call stack is a frame, in both forms of the text", arguments: Form.allCases)
  func frames(form: Form) throws {
    let lines = Self.stack([
      Line("Heron", 0x1_04a3_81c8, "$s5Heron6BasketC5totalSiyF + 16"),
      Line("Heron", 0x1_04a3_8e90, "Heron + 20112"),
      Line("Heron.debug.dylib", 0x1_04c3_0010, "-[Shop name] + 8"),
      Line("???", 0x1_0000_0010, "0x0 + 4294967312"),
    ])
    let report = try Self.report(Self.log(lines, form: form))
    let frames = try #require(report.reason.exception).frames
    #expect(frames.count == lines.count)
    #expect(frames.map(\.address) == lines.map { Address($0.address) })
    #expect(frames.allSatisfy { $0.position == .returnAddress })
    #expect(
      frames.map { $0.image.map { report.images[$0].name } } == [
        "AppCenterCrashes", "AppCenterCrashes", "Heron", "Heron", "Heron.debug.dylib", nil,
        "libdispatch.dylib", "UIKitCore", "UIKitCore",
      ])
    #expect(
      frames.map(\.function) == [
        "-[MSACExceptionModel initWithError:]",
        "+[MSACCrashes trackError:withProperties:attachments:]",
        "$s5Heron6BasketC5totalSiyF", nil, "-[Shop name]", nil,
        "_dispatch_call_block_and_release", "-[UIApplication sendAction:to:from:forEvent:]",
        "UIApplicationMain",
      ])
    // One line gives the offset in the image, and so those of all others in it.
    #expect(report.images.first { $0.name == "Heron" }?.base == Address(0x1_04a3_4000))
    #expect(frames[2].imageOffset == ImageOffset(0x41c8) && frames[2].symbolOffset == 16)
    #expect(frames[3].imageOffset == ImageOffset(20112))
    #expect(
      report.images.allSatisfy {
        $0.release == Release(version: "1.4.0", build: "512") && $0.architecture == .arm64
      })
  }

  @Test("Text in quotation marks may hold marks, backslashes and other letters")
  func escapes() throws {
    let log = Self.log([Line("Heron", 0x1_04a3_81c8, "Heron + 16840")], form: .quoted)
      .replacing("Heron  ", with: #"H\\U00e9ron \\\"x "#)
    let report = try Self.report(log)
    #expect(report.images.map(\.name) == ["H\u{e9}ron \"x"])
  }

  @Test("Without the text, an address stays an address in whatever member the SDK has put it")
  func divided() throws {
    let lines = Self.stack([
      Line("Heron", 0x1_04a3_81c8, "-[Shop name] + 16"),
      Line("Heron.debug.dylib", 0x1_04c3_0010, "$s5Heron6BasketC5totalSiyF + 16"),
    ])
    let report = try Self.report(Self.log(lines, hasText: false))
    let frames = try #require(report.reason.exception).frames
    #expect(
      frames.map(\.function) == [
        "-[MSACExceptionModel initWithError:]",
        "-[MSACCrashes trackError:withProperties:attachments:]", "-[Shop name]", nil,
        "_dispatch_call_block_and_release", "-[UIApplication sendAction:to:from:forEvent:]",
      ])
    #expect(
      frames.compactMap { $0.image.map { report.images[$0].name } } == [
        "AppCenterCrashes", "AppCenterCrashes", "Heron", "Heron.debug.dylib", "libdispatch.dylib",
        "UIKitCore",
      ])
    #expect(frames[3].address == Address(0x1_04c3_0010))
  }

  @Test("Stacks of other languages are read as before")
  func others() throws {
    let text = #"   at Acme.Cart.Total(Int32 n) in C:\\src\\Cart.cs:line 31\n   at Acme.Shop.Run()"#
    let log = Self.log([]).replacing(
      #""frames": []"#, with: #""frames": [], "stackTrace": "\#(text)""#
    )
    .replacing(#""stackTrace": "(\n\n)", "#, with: "")
    let frames = try #require(try Self.report(log).reason.exception).frames
    #expect(frames.count == 2 && frames[0].file == #"C:\src\Cart.cs"# && frames[0].line == 31)
  }

  @Test("Errors of three places are three groups, named by the app's functions")
  func places() throws {
    let calls = [
      "-[Shop sell:] + 16", "-[Login signIn:with:] + 16", "$s5Heron6BasketC5totalSiyF + 16",
      "$s5Heron6LedgerC5auditSiyF + 16",
    ]
    let signatures = try calls.map {
      try Self.signature(Self.log(Self.stack([Line("Heron", 0x1_04a3_81c8, $0)])))
    }
    #expect(
      signatures.map(\.text) == [
        "handled | NSCocoaErrorDomain | -[Shop sell:]",
        "handled | NSCocoaErrorDomain | -[Login signIn:with:]",
        "handled | NSCocoaErrorDomain | Heron.Basket.total()",
        "handled | NSCocoaErrorDomain | Heron.Ledger.audit()",
      ])
    #expect(signatures.allSatisfy { !$0.isProvisional })
  }

  @Test("An error of a stripped build is one group across launches, without addresses")
  func stripped() throws {
    func lines(_ slide: UInt64, _ offset: UInt64 = 16840) -> [Line] {
      [
        Line("Heron", 0x1_04a3_4000 + slide + offset, "Heron + \(offset)"),
        Line("Heron", 0x1_04a3_4000 + slide + 20112, "Heron + 20112"),
      ] + Self.below(slide)
    }
    let launches = try [0, 0x400_0000, 0x1612_8000].map {
      try Self.signature(Self.log(lines($0)))
    }
    #expect(Set(launches.map(\.key)).count == 1)
    let text = launches[0].text
    #expect(
      text
        == "handled | NSCocoaErrorDomain | [Heron 1.4.0 (512)]+0x41c7 | [Heron 1.4.0 (512)]+0x4e8f")
    #expect(launches[0].isProvisional)
    // Another location, and the same offset in another build, are other groups.
    #expect(try Self.signature(Self.log(lines(0, 17000))).key != launches[0].key)
    #expect(try Self.signature(Self.log(lines(0), build: "513")).key != launches[0].key)
  }

  @Test("If the SDK is part of the stripped program, the locations below it still differ")
  func staticSDK() throws {
    func signature(_ offset: UInt64) throws -> Signature {
      let base: UInt64 = 0x1_04a3_4000
      let offsets: [UInt64] = [90_000, 91_000, offset]
      return try Self.signature(
        Self.log(offsets.map { Line("Heron", base + $0, "Heron + \($0)") } + Self.below(0)))
    }
    #expect(try signature(16840).key != signature(17000).key)
  }

  @Test("The SDK's frameworks are never the app's, with or without names")
  func ownFrameworks() throws {
    let lines = [
      Line("AppCenterCrashes", 0x1_04b0_d4a8, "AppCenterCrashes + 54440"),
      Line("Heron", 0x1_04a3_81c8, "-[Shop sell:] + 16"),
    ]
    let text = try Self.signature(Self.log(lines + Self.below(0))).text
    #expect(text.hasSuffix("-[Shop sell:]") && !text.contains("+0x"))
  }
}
