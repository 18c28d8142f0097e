import Bytes
import Retracing
import Testing

/// If R8's tests or its documentation define what a call becomes, the test says which.
@Suite struct R8MappingTests {
  private func retrace(
    _ mapping: String, _ name: String, _ line: Int? = nil, file: String? = nil,
    thrown: [String] = [], outlineLine: Int? = nil
  ) -> R8Answer? {
    guard let call = R8Call(name, line: line, file: file) else { return nil }
    var steps = 1_000_000
    return R8Mapping(ByteView(mapping.utf8))
      .retrace(call, outlineLine: outlineLine, thrown: thrown, steps: &steps)
  }

  private func text(_ answer: R8Answer?) -> [String]? {
    answer?.frames.map { frame in
      "\(frame.name)(\(frame.file ?? "-")\(frame.line.map { ":\($0)" } ?? ""))"
    }
  }

  // `ObfucatedRangeToSingleLineStackTrace`, `OutsideLineRangeStackTraceTest`,
  // `NoObfuscationRangeMappingWithStackTrace` of R8.
  @Test(
    "Lines are those of the source",
    arguments: [
      ("a.a", 8, "foo.bar.Baz.qux(Baz.java:27)"), ("a.a", 13, "foo.bar.Baz.qux(Baz.java:42)"),
      ("a.a", 1399, "qux.quux.Quuz.quuz(Quuz.java:113)"),
      ("b.a", 2, "some.Class.m2(Class.java:12)"),
      ("b.a", 4, "some.Class.m2(Class.java:10)"), ("b.a", 27, "some.Class.a(Class.java:27)"),
      ("b.a", nil, "some.Class.m2(Class.java)"), ("c.a", 7, "some.Other.m1(Other.java:42)"),
      ("c.a", nil, "some.Other.m1(Other.java:42)"), ("c.b", 5, "some.Other.keep(Other.java:5)"),
      ("c.c", 8, "some.Other.zero(Other.java)"), ("c.d", 3, "some.Other.same(Other.java:3)"),
      ("c.e", 2, "some.Other.span(Other.java)"), ("c.f", 600, "some.Other.all(Other.java:15)"),
      ("c.f", nil, "some.Other.all(Other.java:15)"), ("c.g", 9, "some.Other.g(Other.java:9)"),
    ] as [(String, Int?, String)])
  func lines(name: String, line: Int?, expected: String) {
    let mapping = """
      foo.bar.Baz -> a:
        1:10:void qux():27:27 -> a
        11:15:void qux():42 -> a
        1337:1400:void qux.quux.Quuz.quuz():113:113 -> a
      some.Class -> b:
        1:3:void m2():11:13 -> a
        4:4:void m2():10:10 -> a
      some.Other -> c:
        void m1():42:42 -> a
        void keep() -> b
        void zero():0:0 -> c
        1:9:void same() -> d
        void span():42:44 -> e
        0:65535:void all():15:15 -> f
        int field -> g
      """
    #expect(text(retrace(mapping, name, line)) == [expected])
  }

  @Test("Inlined calls come before the one that contains them, with their own classes and files")
  func inlined() {
    let mapping = """
      app.tern.Desk -> a.a:
      # {"id":"sourceFile","fileName":"Counter.kt"}
          1:1:void app.tern.Till.take(int):31:31 -> a
          1:1:void app.tern.PurseKt.open():7 -> a
          1:1:void pay():12 -> a
          2:2:void pay():13:13 -> a
      app.tern.Till -> a.b:
      # {"id":"sourceFile","fileName":"Tills.kt"}
      """
    #expect(
      text(retrace(mapping, "a.a.a", 1, file: "SourceFile")) == [
        "app.tern.Till.take(Tills.kt:31)", "app.tern.PurseKt.open(Purse.kt:7)",
        "app.tern.Desk.pay(Counter.kt:12)",
      ])
    #expect(text(retrace(mapping, "a.a.a", 2)) == ["app.tern.Desk.pay(Counter.kt:13)"])
  }

  // `AmbiguousStackTrace`, `AmbiguousMethodVerboseStackTrace`, `InlineFileNameStackTrace` of R8.
  @Test("Of several methods the first is used and the others are named")
  func ambiguous() throws {
    let mapping = """
      app.tern.Desk -> a.a:
          void pay(int) -> a
          void settle(int,int) -> a
          void pay(long) -> a
          10:10:void app.tern.In.one():1:1 -> b
          10:10:void first():10 -> b
          11:12:void first():11:12 -> b
          10:10:void app.tern.In.two():2:2 -> b
          10:10:void second():42:42 -> b
          10:10:void zza(int):10:10 -> c
          11:11:void zza(int):11:11 -> c
      """
    let answer = try #require(retrace(mapping, "a.a.a"))
    #expect(text(answer) == ["app.tern.Desk.pay(Desk.java)"])
    #expect(answer.others == ["app.tern.Desk.settle"])
    let chains = try #require(retrace(mapping, "a.a.b", 10))
    #expect(text(chains) == ["app.tern.In.one(In.java:1)", "app.tern.Desk.first(Desk.java:10)"])
    #expect(chains.others == ["app.tern.Desk.second"])
    let one = try #require(retrace(mapping, "a.a.c"))
    #expect(text(one) == ["app.tern.Desk.zza(Desk.java)"])
    #expect(one.others.isEmpty)
  }

  // `RetraceOutline`, `SyntheticLambdaMethodStackTrace`, `InlineInOutline` of R8.
  @Test("An outline's line gives the line of the call that used it; R8's own code is left out")
  func outlines() throws {
    let mapping = """
      outline.Class -> a:
        1:2:int outline():0:0 -> a
        # {"id":"com.android.tools.r8.outline"}
      some.Class -> b:
        4:4:int caller(int):23:23 -> s
        5:5:int foo.bar.baz.caller(int):98:98 -> s
        5:5:int outer(int):24 -> s
        27:27:int caller(int):0:0 -> s
        # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La;a()I"}
      some.Class$$ExternalSyntheticLambda0 -> c:
        void run() -> a
        # {"id":"com.android.tools.r8.synthesized"}
        # {"id":"who.knows","this":[1,{"is":2}]}
      """
    let outline = try #require(retrace(mapping, "a.a", 1))
    #expect(outline.isOutline)
    #expect(
      text(retrace(mapping, "b.s", 27, outlineLine: 1)) == ["some.Class.caller(Class.java:23)"])
    let second = try #require(retrace(mapping, "b.s", 27, outlineLine: 2))
    #expect(second.isOfOutline)
    #expect(text(second) == ["foo.bar.baz.caller(baz.java:98)", "some.Class.outer(Class.java:24)"])
    #expect(text(retrace(mapping, "b.s", 27, outlineLine: 3)) == ["some.Class.caller(Class.java)"])
    #expect(text(retrace(mapping, "c.a")) == [])
  }

  @Test("Frames that R8 added to an exception are removed for that exception only")
  func rewritten() {
    let mapping = """
      app.Start -> a:
          10:10:void app.Inner.first():60:60 -> start
          10:10:void app.Inner.second():61:61 -> start
          10:10:void start():42 -> start
          # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(2)"]}
          # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(La/b;)","holds(2)"],"actions":["removeInnerFrames(1)"]}
      """
    #expect(
      text(retrace(mapping, "a.start", 10, thrown: ["java.lang.NullPointerException"])) == [
        "app.Start.start(Start.java:42)"
      ])
    for thrown in [[], ["a.b"], ["java.lang.Error"]] {
      #expect(text(retrace(mapping, "a.start", 10, thrown: thrown))?.count == 3)
    }
  }

  @Test(
    "Where the mapping names no file, the class does",
    arguments: [
      ("a.a", "SourceFile", "Desk.java"), ("a.a", "SourceFile.kt", "Desk.kt"),
      ("a.b", nil, "Desk.kt"),
      ("a.b", "x.java", "DeskKt.java"), ("a.c", "PG", "Desk.java"), ("a.d", nil, "$$Own.java"),
      ("app.Kept", "Others.kt", "Others.kt"), ("app.Kept", "SourceFile", "Kept.java"),
      ("a.a", "r8-map-id-48ffd94", "Desk.java"), ("a.e", "SourceFile", "SyntheticHolder.java"),
    ] as [(String, String?, String)])
  func files(name: String, file: String?, expected: String) throws {
    let mapping = """
      app.tern.Desk -> a.a:
      app.tern.DeskKt -> a.b:
      app.tern.Desk$Till$1 -> a.c:
      app.tern.$$Own -> a.d:
      app.SyntheticHolder$$Lambda1 -> a.e:
      # {"id":"sourceFile","fileName":"R8$$SyntheticClass"}
      app.Kept -> app.Kept:
      """
    let answer = try #require(retrace(mapping, name + ".run", 3, file: file))
    #expect(answer.frames.map(\.file) == [expected])
  }

  @Test("Classes and methods are found in texts, if spelt with their packages")
  func texts() {
    let mapping = R8Mapping(
      ByteView(
        """
        app.tern.Desk -> a.a:
            void pay(int) -> b
            void open() -> c
            void shut() -> c
        app.tern.Purse -> a.a$a:
        word -> word:
        """.utf8))
    let cases = [
      ("a.a cannot be cast to a.a$a.", "app.tern.Desk cannot be cast to app.tern.Purse."),
      (
        "call of 'void a.a.b(int)' on null", "call of 'void app.tern.Desk.pay(int)' on null"
      ),
      ("a.a.c() and a.a.d()", "app.tern.Desk.c() and app.tern.Desk.d()"),
      ("word a.b 1.5 ... a.a: x", "word a.b 1.5 ... app.tern.Desk: x"),
      ("é a.a é", "é app.tern.Desk é"),
    ]
    for (text, expected) in cases { #expect(mapping.retrace(text: text) == expected) }
    #expect(mapping.className("a.a$a") == "app.tern.Purse")
    #expect(mapping.className("a.b") == nil)
    #expect(mapping.classCount == 3)
  }

  @Test("A class that the runtime created is named after its own")
  func lambdas() {
    let mapping = "app.tern.Desk -> a.a:\n"
    #expect(
      text(retrace(mapping, "a.a$$Lambda$14.run", 3, file: "-"))
        == ["app.tern.Desk$$Lambda$14.run(-:3)"])
    #expect(retrace(mapping, "a.c.run") == nil)
    #expect(R8Call("main", line: 1, file: nil) == nil)
  }
}
