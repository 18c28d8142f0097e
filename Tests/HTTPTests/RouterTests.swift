import HTTP
import Testing

struct RouterTests {
  @Test("A route answers")
  func answers() {
    var router = Router()
    router.get("/a/:name") { .text($0.parameters["name"] ?? "") }
    #expect(router.respond(to: Request("GET", "/a/b")).status == .ok)
  }
}
