import Testing

@testable import SourceText

@Suite struct SourcePathsTests {
  static let table = SourcePaths([
    "/build/src/main.c", "/build/src/a/util.c", "/build/src/b/util.c", #"C:\work\App\Form.cs"#,
    "/build/../only.c", "",
  ])

  @Test(
    "A path is found exactly, without its detours, or by the longest end that no other has",
    arguments: [
      ("/build/src/main.c", 0), ("/build/src/./x/../main.c", 0), ("/other/src/main.c", 0),
      ("main.c", 0), ("src/b/util.c", 2), ("/home/b/util.c", 2), ("util.c", nil),
      ("/home/src/util.c", nil), (#"D:\work\App\Form.cs"#, 3), ("C:/work/App/Form.cs", 3),
      ("form.cs", nil), ("/only.c", 4), ("../../only.c", 4), ("missing.c", nil), ("/", nil),
    ] as [(String, Int?)])
  func look(path: String, expected: Int?) { #expect(Self.table.index(of: path) == expected) }
}
