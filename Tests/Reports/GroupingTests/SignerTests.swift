import CrashModel
import Crypto
import Identifiers
import Testing

@testable import Grouping

@Suite("Signer")
struct SignerTests {
  @Test("The key is the start of a SHA-256 over rules, product and text")
  func key() {
    let signature = ReportBuilder("shop::f()\nmain").signature
    let input = Array("mayday-sig\u{1F}v1\u{1F}shop\u{1F}shop::f".utf8)
    #expect(signature.key == String(SHA256.hex(SHA256.digest(of: input.span.bytes)).prefix(32)))
    // As sha256sum computes it.
    #expect(signature.key == "83b94344ee3766f959a66850049c3cba")
    #expect(signature.rules == "v1")
  }

  @Test("Each frame has a step with its class and the rule that set it")
  func steps() {
    let signature = ReportBuilder(
      "raise\nabort\nshop::f()\nmain @ /opt/shop/bin/shop\n?? @ /usr/lib/libfoo.so.6\n??\n?? @ /usr/lib/libc.so.6"
    ).signature
    let steps = signature.steps.filter { $0.frame != nil }
    #expect(steps.map(\.frame) == [0, 1, 2, 3, 4, 5, 6])
    #expect(
      steps.map(\.frameClass) == ["death", "death", "app", "base", "unknown", "void", "death"])
    #expect(
      steps.map(\.result) == ["raise", "abort", "shop::f", "main", "[libfoo.so]", "", "[libc.so]"])
    #expect(steps.map(\.used) == [false, false, true, false, false, false, false])
    #expect(signature.steps.first?.subject == "stack")
    for step in steps.prefix(2) {
      let parts = step.rule.split(separator: ":")
      let list = GroupingRules.v1.lists.first { $0.name == parts[0] }
      let lines = list?.text.split(separator: "\n", omittingEmptySubsequences: false) ?? []
      let line = Int(parts[1]).flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil }
      #expect(line?.hasPrefix(step.result) == true)
    }
  }

  @Test("Every line of every list is a rule that matches its own text")
  func lists() throws {
    for (list, text) in GroupingRules.v1.lists {
      let bytes = NameBytes(text.utf8)
      let lines = ListedRule.lines(of: bytes)
      #expect(!lines.isEmpty)
      for (number, range) in lines {
        let rule = try ListedRule(bytes[range], list: list, line: number, frameClass: nil)
        for name in ["\u{1}", "\u{1}\u{2}"] {
          #expect(!rule.pattern.fits(NameBytes(name.utf8)), "\(rule.id) fits everything")
        }
      }
    }
  }

  @Test("Without symbols, the offset in the build replaces the function")
  func provisional() throws {
    let stack = "@ /opt/shop/bin/shop +0x1f3c\n@ /opt/shop/bin/shop +0x10\nmain"
    let build = ReportBuilder(stack)
    let id = try #require(build.report.images[0].debugID)
    let signature = build.signature
    #expect(signature.text == "[shop \(id.description.prefix(8))]+0x1f3c")
    #expect(signature.isProvisional && signature.waitsFor == [id])
    #expect(signature.key == ReportBuilder(stack).signature.key)
    let elsewhere = ReportBuilder("@ /opt/shop/bin/shop +0x1f40\nmain").signature
    #expect(elsewhere.key != signature.key)
    let symbolicated = ReportBuilder("shop::f() @ /opt/shop/bin/shop +0x1f3c\nmain").signature
    #expect(!symbolicated.isProvisional && symbolicated.waitsFor.isEmpty)
    // A system library is not waited for.
    let driver = ReportBuilder("@ /usr/lib/libGLcore.so.1 +0x10\nshop::f() @ /opt/shop/bin/shop")
      .signature
    #expect(driver.text == "[libGLcore.so] | shop::f" && !driver.isProvisional)
    // Nor is an existing debug file without the name.
    let found = build.with { $0.images[0].symbols = SymbolStatus(.found) }.signature
    #expect(found.text == "SIGSEGV | [shop]")
    #expect(!found.isProvisional)
  }

  @Test("A return address and the instruction before it are one location")
  func position() {
    var exact = ReportBuilder("@ /opt/shop/bin/shop +0x1f3b\nmain")
    var returned = ReportBuilder("@ /opt/shop/bin/shop +0x1f3c\nmain")
    exact.report.threads[0].frames[0].position = .adjusted
    returned.report.threads[0].frames[0].position = .returnAddress
    #expect(exact.signature.key == returned.signature.key)
  }

  static let ownerCases: [(String, String?, SymbolStatus.Verdict?, FrameClass)] = [
    ("/opt/shop/bin/shop", "/opt/shop/bin/shop", nil, .app),
    ("/opt/shop/lib/libshop.so", "/opt/shop/bin/shop", nil, .app),
    ("/home/anna/x/libshop.so", nil, nil, .app),
    ("/usr/bin/tool", nil, nil, .app),
    ("/usr/lib/x86_64-linux-gnu/libpng16.so.16", "/opt/shop/bin/shop", nil, .system),
    ("/usr/lib/x86_64-linux-gnu/libpng16.so.16", "/opt/shop/bin/shop", .found, .system),
    ("/usr/lib/x86_64-linux-gnu/libtool.so.1", "/usr/bin/tool", .found, .app),
    ("/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/tool", .found, .system),
    ("/usr/lib/tool/libplugin.so", "/usr/bin/tool", nil, .app),
    ("/usr/lib/tool/libplugin.so", "/opt/shop/bin/shop", nil, .system),
    ("/usr/lib/swift/linux/libswiftCore.so", "/opt/shop/bin/shop", .found, .system),
    ("/lib/x86_64-linux-gnu/libz.so.1", nil, nil, .system),
    ("[vdso]", nil, nil, .system),
    ("/private/var/containers/Bundle/Application/A/Shop.app/Shop", nil, nil, .app),
    (
      "/private/var/containers/Bundle/Application/A/Shop.app/Frameworks/Kit.framework/Kit", nil,
      nil, .app
    ),
    (
      "/private/var/containers/Bundle/Application/A/Shop.app/Frameworks/libswiftCore.dylib", nil,
      nil, .system
    ),
    (
      "/Users/a/Library/Developer/CoreSimulator/Devices/B/data/Containers/Bundle/Application/C/Shop.app/Shop",
      nil, nil, .app
    ),
    ("/Applications/Shop.app/Contents/MacOS/Shop", nil, nil, .app),
    ("/usr/lib/system/libsystem_kernel.dylib", nil, .found, .system),
    ("/System/Library/Frameworks/UIKit.framework/UIKit", nil, .found, .system),
    ("/System/Applications/Notes.app/Contents/MacOS/Notes", nil, nil, .system),
    ("/data/app/com.acme-1/lib/arm64/libshop.so", nil, nil, .app),
    ("/system/lib64/libandroid_runtime.so", nil, nil, .system),
    ("C:\\Windows\\System32\\ntdll.dll", nil, nil, .system),
    ("C:\\Shop\\shop.exe", nil, nil, .app),
    ("libshop.so", nil, nil, .app),
  ]

  @Test("Owners of functions", arguments: ownerCases)
  func owner(path: String, executable: String?, verdict: SymbolStatus.Verdict?, owner: FrameClass) {
    let build = ReportBuilder("shop_do_it @ \(path)").with {
      $0.process.path = executable
      $0.process.name = nil
      $0.images[0].symbols = verdict.map { SymbolStatus($0) }
    }
    #expect(
      NormalisedStack(build.signature, type: nil).calls.map(\.frameClass) == [owner])
  }

  @Test("The report's own mark overrides the image")
  func marked() {
    let build = ReportBuilder("shop_do_it @ /usr/lib/libshop.so\nother @ /opt/shop/bin/shop").with {
      $0.threads[0].frames[0].inApp = true
      $0.threads[0].frames[1].inApp = false
    }
    #expect(
      NormalisedStack(build.signature, type: nil).calls.map(\.frameClass) == [
        .app, .system,
      ])
  }

  @Test("A dependency's source file is not the app's")
  func sourceFile() {
    let build = ReportBuilder("serde::read\nshop::load\nmain").with {
      $0.threads[0].frames[0].file = "/home/dev/.cargo/registry/src/x/serde-1.0/src/de.rs"
    }
    #expect(build.text == "serde::read | shop::load")
  }

  @Test("What is cached of a frame depends on all that decides about it")
  func framesAlike() {
    let signer = Signer(rules: .v1)
    var frames: [Frame] = []
    for function in [nil, "total()", "_init", "_end+0x10", "read", "<main>"] {
      for symbol in [nil, "$s4shop5totalyyF", "read"] {
        for file in [nil, "bin/tern", "/srv/cart.js", "/usr/include/c++/12/vector", "cart.py"] {
          for number in 0..<12 {
            var frame = Frame(
              address: number & 1 == 0 ? nil : Address(0x1010), position: .exact,
              image: number & 2 == 0 ? nil : 0, function: function, symbol: symbol, file: file)
            frame.imageOffset = number & 3 == 3 ? ImageOffset(0x10) : nil
            frame.symbolOffset = [nil, 0x10, 0x40_0000][number / 4]
            frames.append(frame)
          }
        }
      }
    }
    for format in [ReportFormat("collection"), ReportFormat("dotnet")] {
      for frame in frames + frames.reversed() {
        var report = CrashReport(format: format)
        report.images = [LoadedImage(name: "tern", path: "/opt/tern/bin/tern")]
        report.threads = [CrashThread(index: 0, crashed: true, frames: [frame])]
        let alone = Signer(rules: .v1, remembers: false).signature(of: report, app: "a")
        #expect(signer.signature(of: report, app: "a") == alone)
      }
    }
  }

  @Test("The cache changes no result")
  func memo() {
    let stacks = NameTests.cxx.map(\.0) + NameTests.swift.map(\.0) + NameTests.rust.map(\.0)
    let signer = Signer(rules: .v1)
    for _ in 0..<2 {
      for stack in stacks {
        let report = ReportBuilder(stack).report
        #expect(
          signer.signature(of: report, app: "a")
            == Signer(rules: .v1, remembers: false).signature(of: report, app: "a"))
      }
    }
    // Two spellings of one letter look alike, but are two names.
    let one = signer.signature(of: ReportBuilder("caf\u{E9}(int)").report, app: "a")
    let two = signer.signature(of: ReportBuilder("cafe\u{301}(int)").report, app: "a")
    #expect(Array(one.text.utf8) != Array(two.text.utf8))
  }

  /// .NET's `AggregateException.InnerException` is the first of its inner exceptions.
  @Test("The first of several causes decides, whatever the order of the others")
  func firstCause() {
    func exception(_ name: String, _ inner: [LanguageException] = []) -> LanguageException {
      LanguageException(
        type: "Tern.\(name)Exception", message: name,
        frames: [Frame(position: .returnAddress, function: "Tern.\(name).Run()")], inner: inner)
    }
    func text(_ inner: [LanguageException]) -> String {
      ReportBuilder(signal: nil).with { report in
        report.reason.exception = exception("Aggregate", inner)
      }.text
    }
    let (one, two, three) = (exception("One"), exception("Two"), exception("Three"))
    #expect(text([one, two, three]).contains("Tern.One.Run"))
    #expect(text([one, two, three]) == text([one, three]) && text([one, two]) == text([one]))
    #expect(text([two, one]) == text([two]))
    // The cause of the first, however deep the others are nested.
    let deep = exception("Two", [exception("Deep", [exception("Deeper")])])
    #expect(text([exception("One", [three]), deep]) == text([exception("One", [three])]))
  }
}
