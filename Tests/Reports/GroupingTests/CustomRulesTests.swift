import CrashModel
import Grouping
import Testing

@Suite("Custom rules")
struct CustomRulesTests {
  private func signature(_ rules: String, of report: ReportBuilder) throws -> Signature {
    let signer = Signer(rules: .v1.with(try CustomRules(parsing: rules)))
    return signer.signature(of: report.report, app: "shop")
  }

  private func text(_ rules: String, _ report: ReportBuilder) throws -> String {
    try signature(rules, of: report).text
  }

  private let plain = ReportBuilder(
    """
    Acme::Check @ /opt/shop/bin/shop
    Cart::total @ /opt/shop/bin/shop
    gtk_widget_draw @ /usr/lib/libgtk-3.so.0
    Shop::run @ /opt/shop/bin/shop
    main @ /opt/shop/bin/shop
    """)

  @Test("A class changes which function ends the walk, and its rule is named by its line")
  func classes() throws {
    let signature = try signature(
      "# ours\nfunction:\"Acme::Che*\" class=death above", of: plain)
    #expect(signature.text == "Cart::total")
    #expect(signature.steps.first { $0.frame == 0 }?.rule == "own:2")
    #expect(signature.steps.first { $0.frame == 0 }?.frameClass == "death")
    #expect(
      try text("function:/^(Acme|Cart)::/ class=glue", plain) == "gtk_widget_draw | Shop::run")
  }

  @Test(
    "Each condition of a frame decides",
    arguments: [
      ("function:Acme::*", true), ("function:acme::*", false), ("function:Acme", false),
      ("module:shop", true), ("image:SHOP", true), ("module:/opt.x/", false),
      ("module:\"/opt/shop/*\"", true), ("file:cart.cc", true), ("file:\"*/src/*\"", true),
      ("file:other.cc", false), ("in_app:true", true), ("in_app:false", false),
      ("!function:Acme::*", false), ("caller[function:Cart::*]", true),
      ("caller[function:main]", false), ("!caller[function:main]", true),
      ("callee[function:*]", false), ("!callee[function:*] function:Acme*", true),
      ("caller[function:Cart::* module:shop]", true),
      ("caller[function:Cart::* !module:shop]", false),
    ])
  func frameConditions(_ condition: String, _ fits: Bool) throws {
    let report = plain.with { $0.threads[0].frames[0].file = "/home/me/src/cart.cc" }
    let signature = try signature("\(condition) function:Acme* name=hit", of: report)
    #expect((signature.text == "hit") == fits)
  }

  @Test(
    "Each condition of the report decides",
    arguments: [
      ("platform:linux", true), ("platform:apple", false), ("family:native", true),
      ("product:shop", true), ("product:till", false), ("category:signal", true),
      ("category:oom", false), ("type:SIGSEGV", true), ("type:*Error", false),
      ("message:\"*disk full*\"", true), ("message:disk", false), ("thread:worker-?", true),
      ("tag.region:eu-*", true), ("!tag.region:eu-*", false), ("tag.other:*", false),
      ("!tag.other:*", true), ("version:2.10", true), ("version:>=2.9", true),
      ("version:<2.9", false), ("version:2.1..2.10", true), ("version:2.1..2.9.9", false),
      ("version:2.*", true), ("version:/^2/ version:<3", true), ("version:>2.10", false),
      ("version:<=2.10", true),
    ])
  func reportConditions(_ condition: String, _ fits: Bool) throws {
    let report = plain.with {
      $0.os.name = "Linux"
      $0.reason.message = "write: disk full (28)"
      $0.threads[0].name = "worker-3"
      $0.tags[ReportTag("region")] = "eu-west"
      $0.app.version = "2.10"
    }
    let signature = try signature("\(condition) fingerprint=hit", of: report)
    #expect((signature.text == "hit") == fits)
  }

  @Test("The later of two rules wins, for each property they set")
  func laterWins() throws {
    let rules = """
      function:Acme* class=death above name=first
      function:Acme* class=app
      function:Acme* name=second
      """
    #expect(try text(rules, plain) == "second")
  }

  @Test("Above, below, stop and extend determine how far the walk goes")
  func walk() throws {
    #expect(try text("function:Cart::* above", plain) == "Cart::total")
    #expect(try text("function:Acme* extend", plain) == "Acme::Check | Cart::total")
    #expect(
      try text("function:Acme* extend\nfunction:Acme* below", plain) == "Acme::Check")
    let system = ReportBuilder(
      "gtk_widget_draw @ /usr/lib/libgtk-3.so.0\nCart::total @ /opt/shop/bin/shop")
    #expect(try text("function:gtk_* stop", system) == "gtk_widget_draw")
    #expect(try text("function:gtk_* stop", plain) == "Acme::Check")
    let below = try signature("function:gtk_* below", of: system)
    #expect(below.text == "gtk_widget_draw")
    #expect(below.steps.first { $0.frame == 1 }?.leftOut == .below)
  }

  @Test("Max-frames keeps the app's function and its neighbours")
  func maxFrames() throws {
    let system = ReportBuilder(
      """
      gtk_a @ /usr/lib/libgtk-3.so.0
      gtk_b @ /usr/lib/libgtk-3.so.0
      Cart::total @ /opt/shop/bin/shop
      """)
    #expect(system.text == "gtk_a | Cart::total")
    #expect(try text("max-frames=1", system) == "Cart::total")
    #expect(try text("max-frames=2", system) == system.text)
    let extended = ReportBuilder(
      """
      gtk_a @ /usr/lib/libgtk-3.so.0
      Cart::total @ /opt/shop/bin/shop
      Shop::open @ /opt/shop/bin/shop
      """)
    let extend = "function:Cart* extend\n"
    #expect(try text(extend, extended) == "gtk_a | Cart::total | Shop::open")
    #expect(try text(extend + "max-frames=2", extended) == "Cart::total | Shop::open")
  }

  @Test(
    "A mark of the app's code counts before the report's own, and for the frames that are shown")
  func marks() throws {
    var report = plain.report
    report.threads[0].frames[0].inApp = true
    let rules = try CustomRules(parsing: "function:Acme* -app\nfunction:gtk_* +app")
    let signer = Signer(rules: .v1.with(rules))
    #expect(signer.signature(of: report, app: "shop").text == "Acme::Check | Cart::total")
    let marked = signer.marking(report, app: "shop").threads[0].frames.map(\.inApp)
    #expect(marked == [false, true, true, true, true])
  }

  @Test(
    "One bug on two systems is one group, and two for an app with a rule per platform (trap 50)")
  func perPlatform() throws {
    let rules = """
      platform:linux fingerprint={default} "linux"
      platform:windows fingerprint={default} "windows"
      """
    func report(_ system: String, _ signal: String) -> ReportBuilder {
      plain.with {
        $0.os.name = system
        $0.reason.signal = signal
      }
    }
    let linux = report("Linux", "SIGSEGV")
    let windows = report("Windows", "EXCEPTION_ACCESS_VIOLATION")
    #expect(try signature("", of: linux).key == signature("", of: windows).key)
    #expect(try signature(rules, of: linux).key != signature(rules, of: windows).key)
    #expect(try signature(rules, of: linux).text.hasSuffix(" | linux"))
  }

  @Test("A fingerprint is the text, or surrounds it")
  func fingerprints() throws {
    let tagged = plain.with { $0.tags[ReportTag("region")] = "eu\u{202e}" }
    let whole = try signature("function:gtk_* fingerprint=\"network\" {category}", of: tagged)
    #expect(whole.text == "network | signal")
    #expect(whole.alternativeKeys.isEmpty && !whole.isProvisional)
    #expect(
      try text("type:SIGSEGV fingerprint={default} {tag.region} {tag.none}", tagged)
        == "Acme::Check | eu\u{fffd} | no none")
    #expect(try text("function:nothing fingerprint=x", tagged) == "Acme::Check")
  }

  @Test("A fingerprint needs no debug files")
  func provisional() throws {
    let report = ReportBuilder("@ /opt/shop/bin/shop +0x10")
    #expect(report.signature.isProvisional)
    let fixed = try signature("module:shop fingerprint=fixed", of: report)
    #expect(!fixed.isProvisional && fixed.waitsFor.isEmpty && fixed.text == "fixed")
    let named = try signature("module:shop name=\"the shop\"", of: report)
    #expect(!named.isProvisional && named.text == "SIGSEGV | the shop")
    let app = try signature("module:shop class=app", of: report)
    #expect(app.isProvisional && app.text == report.text)
    let glue = try signature("module:shop class=glue", of: report)
    #expect(!glue.isProvisional)
  }

  @Test("Rules about linking are passed to the linker")
  func linking() throws {
    #expect(try signature("type:SIGSEGV link=off", of: plain).linking == .off)
    #expect(try signature("link=0.7", of: plain).linking == .from(hundredths: 70))
    #expect(plain.signature.linking == nil)
    #expect(
      GroupLinking("0.65") == .from(hundredths: 65) && GroupLinking("1") == .from(hundredths: 100))
    #expect(
      ["", "0", "1.5", "0.", ".5", "-1", "0.123", "0.x"].allSatisfy { GroupLinking($0) == nil })
  }

  @Test("Rules without a match change nothing, not even the key")
  func untouched() throws {
    #expect(try signature("function:nowhere class=app", of: plain) == plain.signature)
    let none = try CustomRules(parsing: "")
    #expect(GroupingRules.v1.with(none).digest != GroupingRules.v1.digest)
    #expect(GroupingRules.v1.with(nil) == .v1)
  }
}
