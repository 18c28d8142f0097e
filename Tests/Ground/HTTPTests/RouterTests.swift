import Bytes
import HTTP
import Testing

struct RouterTests {
  static let router: Router = {
    var router = Router()
    router.get("/api/:app/groups/:id") {
      .text("group \($0.parameters["app"] ?? "") \($0.parameters["id"] ?? "")")
    }
    router.get("/api/:app/groups/new") { _ in .text("new") }
    router.post("/logs", body: .memory(limit: 100)) { .text("logs \($0.bytes.count)") }
    router.get("/files/*path") { .text("files \($0.parameters["path"] ?? "")") }
    router.delete("/files/:name") { _ in .empty() }
    router.get("/") { _ in .text("root") }
    return router
  }()

  @Test(
    "A path finds its route",
    arguments: zip(
      [
        "/api/tern/groups/7", "/api/tern/groups/new", "/files/a/b", "/files/a", "/", "//",
        "//api//tern/groups/x%2Fy/", "/files/../../etc/passwd",
      ],
      [
        "group tern 7", "new", "files a/b", "files a", "root", "root", "group tern x/y",
        "files ../../etc/passwd",
      ]))
  func finds(path: String, answer: String) {
    let response = Self.router.respond(to: Request("GET", path))
    #expect(response.status == .ok)
    #expect(response.text == answer)
  }

  @Test("A double slash counts as one")
  func doubledSlash() {
    let response = Self.router.respond(to: Request("POST", "//logs", body: [1, 2]))
    #expect(response.text == "logs 2")
  }

  @Test("An unknown path gives 404, another method 405 with the allowed ones")
  func refuses() {
    #expect(Self.router.respond(to: Request("GET", "/nothing")).status == .notFound)
    #expect(Self.router.respond(to: Request("GET", "/files")).status == .notFound)
    let wrong = Self.router.respond(to: Request("POST", "/files/a"))
    #expect(wrong.status == .methodNotAllowed)
    #expect(wrong.headers["allow"] == "DELETE, GET, HEAD")
    #expect(Self.router.respond(to: Request("HEAD", "/files/a")).status == .ok)
    #expect(Self.router.respond(to: Request("GET", "/a%00b")).status == .notFound)
  }

  @Test("A route with a condition does not match other requests")
  func condition() {
    var router = Router()
    router.add("POST", "/:any/logs", where: { $0.headers["App-Secret"] != nil }) { _ in .text("own")
    }
    router.post("/v1/traces") { _ in .text("traces") }
    let own = Request("POST", "/v1/logs", headers: ["App-Secret": "s"])
    #expect(router.respond(to: own).text == "own")
    #expect(router.respond(to: Request("POST", "/v1/logs")).status == .notFound)
    #expect(router.respond(to: Request("GET", "/v1/logs")).status == .notFound)
    #expect(
      router.respond(to: Request("GET", "/v1/logs", headers: ["App-Secret": "s"])).status
        == .methodNotAllowed)
    // Another route takes the requests that the condition rejects.
    router.post("/:any/:rest") { .text("rest \($0.parameters["rest"] ?? "")") }
    #expect(router.respond(to: Request("POST", "/v1/logs")).text == "rest logs")
    #expect(router.respond(to: own).text == "own")
  }

  @Test("The routes can be listed")
  func list() {
    #expect(
      Self.router.routes.map { "\($0.method) \($0.pattern)" } == [
        "GET /api/:app/groups/:id", "GET /api/:app/groups/new", "POST /logs", "GET /files/*path",
        "DELETE /files/:name", "GET /",
      ])
  }

  @Test("Layers wrap handlers, the first outermost, and may refuse first")
  func layers() {
    struct Mark: Middleware {
      let name: String

      func admit(_ head: RequestHead) -> Response? {
        head.query["refuse"] == name ? .problem(.forbidden, name) : nil
      }

      func respond(
        to request: Request, next: (Request) throws -> Response
      ) throws -> Response {
        var response = try next(request)
        response.headers.add("X-Mark", name)
        return response
      }
    }
    var router = Router()
    router.use(Mark(name: "outer"))
    router.get("/", middleware: [Mark(name: "inner")]) { _ in .text("x") }
    let response = router.respond(to: Request("GET", "/"))
    #expect(response.headers.values(of: "x-mark") == ["inner", "outer"])
    #expect(router.respond(to: Request("GET", "/?refuse=inner")).status == .forbidden)
  }

  @Test(
    "A tag that the client has is 304", arguments: ["\"v1\"", "W/\"v1\"", "\"a\", \"v1\"", "*"])
  func tags(known: String) {
    let head = RequestHead("GET", "/", headers: ["If-None-Match": known])
    let response = Response.text("x").tagged("v1", for: head)
    #expect(response.status == .notModified)
    #expect(response.headers["ETag"] == "\"v1\"")
    #expect(response.text == "")
    #expect(Response.text("x").tagged("v2", for: head).status == (known == "*" ? 304 : 200))
  }

  @Test("A problem is a document")
  func problem() {
    let response = Response.problem(.conflict, "There is \"one\".")
    #expect(response.headers["content-type"] == "application/problem+json")
    #expect(
      response.text
        == #"{"type":"urn:mayday:problem:conflict","title":"Conflict","status":409,"code":"conflict","detail":"There is \"one\"."}"#
    )
  }

  @Test("Query items are decoded, in order")
  func query() {
    let head = RequestHead("GET", "/x?a=1&b=%2B+c&a=2&Flag")
    #expect(head.query.values(of: "a") == ["1", "2"])
    #expect(head.query["b"] == "+ c")
    #expect(head.query["flag"] == nil)
    #expect(head.query.value(ignoringCaseOf: "flag") == "")
  }
}

extension Response {
  var text: String { if case .bytes(let bytes) = content { bytes.text } else { "" } }
}
