import CrashModel
import Identifiers
import Testing

@testable import Grouping

/// Names that systems, compilers and bundlers choose for the same thing.
@Suite("Names of the same thing") struct AlikeNameTests {
  @Test(
    "Private classes of Foundation have the name of the public one",
    arguments: [
      ("-[__NSArrayI objectAtIndexedSubscript:]", "-[NSArray objectAtIndex:]"),
      ("-[__NSArrayM objectAtIndex:]", "-[NSArray objectAtIndex:]"),
      ("-[__NSArray0 objectAtIndex:]", "-[NSArray objectAtIndex:]"),
      ("-[__NSSingleObjectArrayI objectAtIndex:]", "-[NSArray objectAtIndex:]"),
      ("-[__NSArrayM insertObject:atIndex:]", "-[NSArray insertObject:atIndex:]"),
      ("-[__NSFrozenDictionaryM objectForKeyedSubscript:]", "-[NSDictionary objectForKey:]"),
      ("-[__NSDictionaryM setObject:forKeyedSubscript:]", "-[NSDictionary setObject:forKey:]"),
      ("-[__NSCFString substringFromIndex:]", "-[NSString substringFromIndex:]"),
      ("-[NSTaggedPointerString length]", "-[NSString length]"),
      ("+[__NSCFNumber(Shop) price]", "+[NSNumber(Shop) price]"),
      ("-[NSKVONotifying_Cart total]", "-[Cart total]"), ("-[Cart_Cart_ total]", "-[Cart total]"),
      ("-[Cart objectAtIndexedSubscript:]", "-[Cart objectAtIndexedSubscript:]"),
      ("-[__NSCart total]", "-[__NSCart total]"), ("-[Cart_Desk_ total]", "-[Cart_Desk_ total]"),
    ])
  func clusters(raw: String, name: String) {
    #expect(NameNormaliser.normalise(raw).text == name)
  }

  @Test(
    "A lambda has one name, whichever compiler gave it",
    arguments: [
      "tern.Main.lambda$open$0", "tern.Main.lambda$open$0$tern-Main", "tern.Main.open$lambda$0",
      "tern.Main.open$lambda-0", "tern.Main.access$open$lambda$0",
      "tern.Main.open$lambda$2$lambda$1",
    ])
  func lambdas(raw: String) {
    #expect(NameNormaliser.normalise(raw).text == "tern.Main.lambda$open")
  }

  @Test(
    "Escapes of Rust's old names are spelled out",
    arguments: [
      ("$LT$tern..Cart$u20$as$u20$tern..Sum$GT$::total", "<tern::Cart as tern::Sum>::total"),
      ("_$LT$tern..Cart$GT$::total", "<tern::Cart>::total"),
      ("tern..Cart$u7b", "tern..Cart$u7b"), ("a$LT$", "a<"),
    ])
  func escapes(raw: String, name: String) {
    let spelled = GeneratedName.unescaped(NameBytes(raw.utf8))
    #expect((spelled ?? NameBytes(raw.utf8)).text == name)
  }

  @Test("A library's file name is not a function")
  func files() {
    for name in ["libc.so,0x169bc", "libdispatch.dylib", "till.dll", "libc.so.6"] {
      #expect(NameBytes(name.utf8).isNoFunction, "\(name)")
    }
    for name in ["tern::dll", "f,g", "dylib", "Till.total"] {
      #expect(!NameBytes(name.utf8).isNoFunction, "\(name)")
    }
  }

  @Test("Messages also name public classes")
  func messages() {
    func text(_ name: String) -> String {
      MessageParameters.parameterised(
        "-[\(name) total]: unrecognized selector sent to instance 0x600001234500")
    }
    #expect(text("__NSArrayM") == "-[NSArray total]: unrecognized selector sent to instance <hex>")
    #expect(text("__NSArray0") == text("__NSSingleObjectArrayI"))
    #expect(text("NSKVONotifying_Cart") == text("Cart"))
  }

  @Test(
    "The hash of a script's content is not part of its name",
    arguments: [
      ("main.3f2a9c1b.js", "main.js"), ("main.77aa0012.chunk.js", "main.chunk.js"),
      ("main-3f2a9c1b.js", "main.js"), ("vendors~main.4fa19c.chunk.js", "vendors~main.chunk.js"),
      ("_app-0123456789abcdef.js", "_app.js"), ("index-BxY12_kd.js", "index.js"),
      ("index-DkQzNvXa.mjs", "index.mjs"), ("chunk-4KXMO2VQ.js", "chunk.js"),
      ("main.3f2a9c1b.js?v=12", "main.js"), ("app_3f2a9c1b1234.min.js", "app.min.js"),
      ("3f2a9c1b.js", "3f2a9c1b.js"), ("shop-checkout.js", "shop-checkout.js"),
      ("shop-Checkout.js", "shop-Checkout.js"), ("jquery-3.7.1.js", "jquery-3.7.1.js"),
      ("report-20261127.pdf", "report-20261127.pdf"), ("a-facade.js", "a-facade.js"),
    ])
  func scripts(name: String, plain: String) {
    #expect(BundleName.withoutHash(NameBytes(name.utf8)).text == plain)
  }

  @Test("A new bundle of a script does not make a new group")
  func deploys() {
    func signature(_ file: String) -> Signature {
      var build = ReportBuilder("", signal: nil)
      build.report.format = ReportFormat("javascript")
      var image = LoadedImage(name: String(file.split(separator: "/").last ?? ""))
      image.architecture = .javaScript
      image.debugID = DebugID(uuid: file.utf8)
      build.report.images = [image]
      let frame = Frame(position: .returnAddress, image: 0, file: file, line: 1, column: 80)
      build.report.reason.exception = LanguageException(type: "TypeError", frames: [frame])
      return build.signature
    }
    let first = signature("https://tern.example/static/js/main.3f2a9c1b.js")
    #expect(first.text == "TypeError | main.js")
    #expect(first.key == signature("https://tern.example/static/js/main.77aa0012.js").key)
    #expect(first.key == signature("https://cdn.example/main-BxY12_kd.js?x=1").key)
  }

  @Test("Methods of .NET have one name with and without parameters")
  func dotNet() {
    func text(_ function: String, _ format: String, below: String = "Tern.Desk.Open()") -> String {
      var build = ReportBuilder("", signal: nil)
      build.report.format = ReportFormat(format)
      build.report.reason.exception = LanguageException(
        type: "System.NullReferenceException",
        frames: [Frame(position: .returnAddress, function: function)])
      return build.text
    }
    for name in ["Tern.Till.Load()", "Tern.Till.Load", "Tern.Till.Load(Int32 a)"] {
      #expect(text(name, "dotnet") == "System.NullReferenceException | Tern.Till.Load")
      #expect(text(name, "sentry-event") == "System.NullReferenceException | Tern.Till.Load")
    }
    #expect(text("Tern.Till.<Load>d__3.MoveNext()", "dotnet").hasSuffix("| Tern.Till.Load"))
    // In Swift parentheses are a part of the name.
    #expect(ReportBuilder("Till.load()").text == "Till.load()")
  }
}
