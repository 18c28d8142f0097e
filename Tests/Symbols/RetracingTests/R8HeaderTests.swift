import Bytes
import Retracing
import Testing

@Suite struct R8HeaderTests {
  @Test("The compiler and both ids of a mapping are read from its comments")
  func comments() {
    let hash = String(repeating: "48ffd947", count: 8)
    let text = """
      # compiler: R8
      # compiler_version: 8.3.36
      # min_api: 24
      # {"id":"com.android.tools.r8.mapping","version":"2.2"}
      # pg_map_id: 48ffd94
      # pg_map_hash: SHA-256 \(hash)
      app.tern.Desk -> a.a:
      # compiler: no comment of the mapping
      """
    let header = R8Header(of: ByteView(text.utf8))
    #expect(header.compiler == "R8")
    #expect(header.compilerVersion == "8.3.36")
    #expect(header.mapID == "48ffd94")
    #expect(header.mapHash == hash)
  }

  @Test(
    "A mapping is recognised by its content",
    arguments: [
      ("# compiler: R8\n", true), ("\u{FEFF}# pg_map_id: a\n", true),
      ("app.tern.Desk -> a.a:\n", true), ("\r\n# made by us\r\napp.tern.Desk -> a.a:\r\n", true),
      ("# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.0\"}\n", true),
      ("a -> b:", true), ("", false), ("# a comment\n", false), ("key: value\n", false),
      ("    app.tern.Desk -> a.a:\n", false), ("if a -> b:\n", false), ("a -> b\n", false),
      ("java.lang.Error: a -> b:\n\tat a.b(c.java:1)\n", false), ("-> :\n", false),
    ])
  func recognition(text: String, isMapping: Bool) {
    #expect(R8Header.recognises(ByteView(text.utf8)) == isMapping)
  }
}
