import CrashModel
import Testing

@testable import AppCenterProtocol
@testable import MaydayCommands

@Suite("Frames for App Center's API")
struct AppCenterFrameTests {
  @Test(
    "A function is split into class, method and parameters",
    arguments: [
      ("org.example.tern.ChartStore.load", "org.example.tern.ChartStore", "load", nil),
      ("org.example.Chart.<init>", "org.example.Chart", "<init>", nil),
      ("Tern.Charts.Load(System.String)", "Tern.Charts", "Load", "System.String"),
      ("-[TernChart load:at:]", "TernChart", "load:at:", nil),
      ("+[TernChart new]", "TernChart", "new", nil),
      (
        "std::vector<a::b>::push_back(a::b const&)", "std::vector<a::b>", "push_back", "a::b const&"
      ),
      ("tern::(anonymous namespace)::f(int)", "tern::(anonymous namespace)", "f", "int"),
      ("Tern.Chart.load(at: Swift.Int) -> ()", "Tern.Chart", "load", "at: Swift.Int"),
      ("main", nil, "main", nil), ("a.", nil, "a.", nil), ("f(", nil, "f", nil),
      (")(", nil, ")", nil), ("::", nil, "::", nil), ("", nil, "", nil),
    ] as [(String, String?, String?, String?)])
  func parts(_ function: String, _ type: String?, _ method: String?, _ parameters: String?) {
    var frame = Frame(position: .exact)
    frame.function = function
    let parts = AppCenterFrame(frame, of: CrashReport(format: .appCenter))
    #expect(parts.className == type)
    #expect(parts.method == method)
    #expect(parts.parameters == parameters)
    #expect(parts.isClassMethod == function.hasPrefix("+"))
  }
}
