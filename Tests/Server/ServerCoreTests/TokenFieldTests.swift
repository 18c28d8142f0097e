import TestSupport
import Testing

@testable import ProgramSupport

/// The spellings of the field with a token.
@Suite("A token in a request")
struct TokenFieldTests {
  @Test("Blanks and the case of the scheme do not matter, all else does")
  func spellings() throws {
    let folder = ScratchFolder()
    let server = try #require(RunningServer(home: folder.path("home")))
    let token = server.token
    let basic = try #require(OtherTool.output(of: "printf 'user:\(token)' | base64 -w0"))
    for good in [
      "Bearer \(token)", "bearer \(token)", "BEARER  \(token)", "Bearer   \(token)  ",
      "Basic \(basic)",
    ] {
      let answer = server.ask("GET", "/api/v1/apps", token: "", headers: ["Authorization: \(good)"])
      #expect(answer?.status == 200, "\(good.prefix(10))")
    }
    for bad in [
      "", "Bearer", "Bearer ", token, "Token \(token)", "Bearer x \(token)", "Bearer \(token) x",
      "Bearer\t\(token)", "Basic \(token)", "Basic",
    ] {
      let answer = server.ask("GET", "/api/v1/apps", token: "", headers: ["Authorization: \(bad)"])
      #expect(answer?.status == 401, "\(bad.prefix(10))")
    }
  }
}
