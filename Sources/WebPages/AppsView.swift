internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import WebServer

/// The apps, each with what its copies and its builds need to reach this server.
struct AppsView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let origin = call.request.head.origin
    let apps = try call.service.apps().map { app -> HTML in
      let secret = app.secrets.first ?? "APP-SECRET"
      return """
        <section class="card"><h2>\(app.name)</h2>
        <dl><dt>Groups</dt><dd>\(app.prefix)-1, \(app.prefix)-2, …</dd><dt>Key</dt><dd class="mono">\(app.intakeKey)</dd></dl>
        <details><summary>curl</summary><pre class="message">curl -H "X-App-Key: \(app.intakeKey)" --data-binary @crash.ips \(origin)/api/v1/reports</pre></details>
        <details><summary>App Center SDK</summary><pre class="message">AppCenter.logUrl = "\(origin)"
        AppCenter.start(withAppSecret: "\(secret)", services: [Crashes.self])</pre></details>
        <details><summary>CI</summary><pre class="message">mayday upload build/ --to \(origin) --token "$MAYDAY_TOKEN"</pre></details>
        </section>

        """
    }
    let none: HTML =
      apps.isEmpty
      ? "<p class=\"empty\">No app yet.</p><pre class=\"message\">mayday apps add Tern</pre>"
      : .none
    return call.page("Apps", in: .apps, "<h1>Apps</h1>\n\(none)\(apps)")
  }
}
