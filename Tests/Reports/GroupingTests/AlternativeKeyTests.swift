import CrashModel
import Grouping
import Testing

@Suite("Alternative keys")
struct AlternativeKeyTests {
  private typealias Build = ReportBuilder

  @Test("Swift's backtracer prints names without modules")
  func shortSwiftNames() {
    let mangled = "$s8TernDesk5share_7betweenSiAA4CartV_SitF"
    func build(_ stack: String, _ message: String? = nil) -> Signature {
      Build(stack, signal: "SIGILL").with { $0.reason.message = message }.signature
    }
    for message in [nil, "TernDesk/Cart.swift:33: Precondition failed: nobody to share with"] {
      let full = build("_assertionFailure(_:_:file:line:flags:)\n\(mangled)\nmain", message)
      let short = build(
        "_assertionFailure(_:_:file:line:flags:)\nshare(_:between:)\nmain", message)
      #expect(full.text.hasSuffix("TernDesk.share(_:between:)"))
      #expect(full.alternativeKeys == [short.key])
      #expect(short.alternativeKeys.isEmpty)
    }
    let inlined = build("~\(mangled)\n$s8TernDesk5CartsV4loadyyF\nmain")
    #expect(
      inlined.alternativeKeys == [
        build("share(_:between:)\nmain").key, build("TernDesk.Carts.load() -> ()\nmain").key,
        build("Carts.load()\nmain").key,
      ])
    let turns = String(repeating: mangled + "\n", count: 50)
    let overflow = Build(turns + "main").with { $0.reason.type = "stack-overflow" }.signature
    let shortOverflow = Build(String(repeating: "share(_:between:)\n", count: 50) + "main")
      .with { $0.reason.type = "stack-overflow" }.signature
    #expect(overflow.alternativeKeys == [shortOverflow.key])
  }

  @Test("Two functions inlined into one have no group in common")
  func siblings() {
    // Both crash in what the compiler merged into one function, but these are two bugs.
    let owed = Build("~shop::owed()\nshop::Basket::split()\nmain").signature
    let share = Build("~shop::share()\nshop::Basket::split()\nmain").signature
    #expect(owed.key != share.key && owed.alternativeKeys == share.alternativeKeys)
  }

  @Test("A reading without app code is not a key, or different bugs would merge")
  func readingsWithoutTheApp() {
    let libc = "@ /lib/x86_64-linux-gnu/libc.so.6 +0x10"
    for stack in [
      "~shop::owed()\nmain", "\(libc)\n~shop::owed()\nmain", "~shop::owed()\n\(libc)",
      "~shop::owed()\nstd::vector<int>::at(unsigned long)\nmain", "~shop::owed()\nstart_thread",
      "~shop::owed()\ng_list_free @ /usr/lib/libglib-2.0.so.0\nmain",
      "~shop::owed()\n@ /usr/lib/libfoo.so +0x10",
    ] {
      let signature = Build(stack).signature
      #expect(signature.text.hasSuffix("shop::owed"), "\(stack)")
      #expect(signature.alternativeKeys.isEmpty, "\(stack)")
    }
    // A function of the app, or the location of one, is enough.
    #expect(Build("~shop::owed()\nshop::Basket::split()").signature.alternativeKeys.count == 1)
    #expect(Build("~shop::owed()\n@ /opt/shop/bin/shop +0x20").signature.alternativeKeys.count == 1)
  }

  @Test("Swift's short spelling of a library's function is not a key either")
  func shortNamesWithoutTheApp() {
    let signature = Build("$sSayxSicig\nmain").signature
    #expect(signature.text == "Swift.Array.subscript.getter | main")
    #expect(signature.alternativeKeys.isEmpty)
  }
}
