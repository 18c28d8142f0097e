import Testing

@testable import Grouping

/// Expected spellings are those of the functions' sources; the suffixes are what the named compilers add.
@Suite("Names that compilers generate or mark")
struct GeneratedNameTests {
  static let native: [(String, String)] = [
    // Clang: control-flow integrity, ThinLTO, static functions of other modules
    ("total.cfi", "total"), ("total.cfi_jt", "total"), ("_ZN4shop5totalEv.cfi", "shop::total"),
    ("total$8d185785d173e702d91e2893e143a6d9.cfi", "total"), ("total.llvm.BDC22D8E", "total"),
    ("total.__uniq.268713982371", "total"), ("total.__part.3", "total"),
    ("total.specialized.2", "total"),
    ("total.extracted", "total"), ("total.memprof.1", "total"), ("total.Tgm", "total"),
    ("total.omp_outlined", "total"), ("total(int) [clone .resume]", "total"),
    ("_RNvCsabc_4shop5total.llvm.1234", "shop::total"),
    // GCC
    ("total.simdclone.0", "total"), ("total._omp_fn.0", "total"),
    ("total.part.0.isra.0.cold", "total"),
    ("total.lto_priv.0", "total"), ("total.clone.3", "total"),
    // Apple, linkers
    ("close$NOCANCEL", "close"), ("fopen$DARWIN_EXTSN", "fopen"), ("total@plt", "total"),
    ("_platform_memmove$VARIANT$Haswell", "_platform_memmove"), ("DYLD-STUB$$total", "total"),
    ("symbol stub for: total", "total"),
    // Microsoft
    ("`shop::Cart::total'::`1'::catch$0", "shop::Cart::total"), ("total$filt$0", "total"),
    ("total$fin$1", "total"), ("total$exit_thunk", "total"),
    // Swift
    ("$s4Shop5totalyyF.resume.0", "Shop.total()"),
  ]

  static let managed: [(String, String)] = [
    // Words that are marks in C only
    ("com.acme.Player.resume", "com.acme.Player.resume"), ("Cart.clone", "Cart.clone"),
    ("com.acme.Session.destroy", "com.acme.Session.destroy"), ("Store.split", "Store.split"),
    // Go
    ("main.charge.gowrap1", "main.charge.{closure}"),
    ("main.charge.deferwrap2", "main.charge.{closure}"),
    ("main.(*Cart).Total-fm", "main.(*Cart).Total"), ("main.charge-range1", "main.charge"),
    ("main.glob..func3", "main.init.{closure}"),
    // Java, Kotlin, Clojure, Groovy
    ("com.acme.Cart.$r8$lambda$x8Kd0_qa-1.run", "com.acme.Cart.$r8$lambda.run"),
    ("com.acme.Cart$$ExternalSyntheticOutline7.m", "com.acme.Cart$$ExternalSyntheticOutline.m"),
    ("com.acme.Cart.total$lambda-3", "com.acme.Cart.lambda$total"),
    ("tern.core$fn__5672.invoke", "tern.core$fn__.invoke"),
    ("tern.core$eval1234.invoke", "tern.core$eval.invoke"),
    ("Desk$_charge_closure2.doCall", "Desk$_charge_closure.doCall"),
    // .NET and F#
    ("Shop.Desk.<Main>m__2", "Shop.Desk.Main.{lambda}"),
    ("Shop.Desk.<Load>c__Iterator0.MoveNext", "Shop.Desk.Load"),
    ("Shop.Desk.charge@12-3.Invoke", "Shop.Desk.charge.{lambda}"),
    // Erlang and Elixir
    ("Tern.Desk.charge/2", "Tern.Desk.charge/2"), ("desk:charge/2", "desk:charge/2"),
    ("desk:'-charge/2-fun-0-'/1", "desk:charge/2{closure}"),
    ("anonymous fn/1 in Tern.Desk.charge/2", "Tern.Desk.charge/2"),
    ("main2_escript__escript__1759__1472__304438__2307:main/1", "main2:main/1"),
    // Smalltalk
    ("SmallInteger(Number)>>zeroDivide", "SmallInteger(Number)>>zeroDivide"),
    ("Desk class>>charge:v2:", "Desk class>>charge:v2:"), ("SmallInteger>>//", "SmallInteger>>//"),
    // D, Julia, OCaml, Zig
    ("desk.charge.__lambda5(int)", "desk.charge.__lambda"), ("#charge#12", "charge"),
    ("#3#4", "{closure}"), ("camlDesk__charge_270", "camlDesk__charge"),
    ("desk.charge__anon_1234", "desk.charge"),
  ]

  @Test("Marks of compilers and linkers are removed", arguments: native)
  func compilerMarks(raw: String, name: String) {
    #expect(NameNormaliser.normalise(raw).text == name)
  }

  @Test("Numbers that compilers generate are removed", arguments: managed)
  func madeUpNumbers(raw: String, name: String) {
    #expect(NameNormaliser.normalise(raw).text == name)
  }

  @Test(
    "Text that is not a mark stays",
    arguments: [
      "std::vector<T>::operator>>", "operator>>", "utf8_decode", "Http2Session", "x86_64",
      "total_2", "area51",
      "shop::f1", "com.acme.Cart2.total",
    ])
  func untouched(name: String) {
    #expect(NameNormaliser.normalise(name).text == name)
  }

  @Test("A normalised name does not change again", arguments: native + managed)
  func again(raw: String, name: String) {
    #expect(NameNormaliser.normalise(name).text == name)
  }

  @Test(
    "Digits that belong to a word stay in messages",
    arguments: [
      ("string not valid UTF-8", "string not valid UTF-8"),
      ("SHA-256 of 12 bytes", "SHA-256 of <dur>"),
      ("ISO-8859-1 expected", "ISO-8859-1 expected"),
      ("HTTP/1.1 status 404", "HTTP/1.1 status <num>"),
      ("no x86-64 slice", "no x86-64 slice"), ("H.264 stream 7", "H.264 stream <num>"),
      ("thread-12 is gone", "thread-<num> is gone"), ("order TERN-4711", "order TERN-<num>"),
      ("state 3m33.57s ago", "state <dur> ago"), ("after 1h2m3s", "after <dur>"),
      ("in 3m", "in 3m"),
      ("at ../../zircon/kernel/lock.cc: held", "at <path>.cc: held"),
      ("see http/2/x", "see http/<num>/x"),
    ])
  func messages(message: String, text: String) {
    #expect(MessageParameters.parameterised(message) == text)
  }
}
