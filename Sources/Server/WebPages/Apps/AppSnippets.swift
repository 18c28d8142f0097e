internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerStore

/// Snippets to copy, with which an app's installations and builds reach this server.
struct AppSnippets {
  let call: PageCall
  let app: AppRecord

  private var server: String { call.request.head.origin }

  /// Returns a new secret in App Center's format: a UUID.
  static func newSecret() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<4).map { _ -> String in
      let word = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 8 - word.count) + word
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count -> String in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  var content: HTML {
    """
    <dl><dt>Groups</dt><dd>\(app.prefix)-1, \(app.prefix)-2, …</dd><dt>Key</dt><dd class="mono">\(app.intakeKey)</dd></dl>
    <h3>curl</h3>\(Self.curl(key: app.intakeKey, server))
    <h3>App Center SDK</h3>\(sdk)
    <h3>CI</h3>\(Self.upload(to: server, call))
    """
  }

  /// - Parameter key: The key of an app.
  static func curl(key: String, _ server: String) -> HTML {
    """
    <pre class="message" tabindex="0">curl -H "X-App-Key: \(key)" --data-binary @crash.ips \(server)/api/v1/reports</pre>
    """
  }

  /// The upload command, with the token in the environment: other users of a machine can read command lines.
  static func upload(to server: String, _ call: PageCall) -> HTML {
    let token: HTML =
      call.visitor.account.allows(.admin) && call.visitor.account.app == nil
      ? "<a href=\"/server/tokens\">Create a token</a> with the scope symbols"
      : "Ask an admin for a token with the scope symbols"
    return """
      <pre class="message" tabindex="0">export MAYDAY_TOKEN=TOKEN
      mayday upload build/ --server \(server)</pre>
      <p class="quiet">\(token).</p>
      """
  }

  private var sdk: HTML {
    guard let secret = app.secrets.first else {
      guard call.visitor.account.allows(.admin), call.visitor.account.app == nil else {
        return "<p class=\"quiet\">The SDKs need a secret. Ask an admin to create one.</p>"
      }
      return """
        <form method="post" action="\(AppsView.path(app.name))/secret">\(call.formField)
        <p class="quiet">The SDKs need a secret, which identifies the app.</p>
        <p><button>Create secret</button></p></form>
        """
    }
    return """
      <p>Swift</p><pre class="message" tabindex="0">AppCenter.logUrl = "\(server)"
      AppCenter.start(withAppSecret: "\(secret)", services: [Crashes.self])</pre>
      <p>Kotlin, over HTTPS only</p><pre class="message" tabindex="0">AppCenter.setLogUrl("\(server)")
      AppCenter.start(application, "\(secret)", Crashes::class.java)</pre>
      <p>C#</p><pre class="message" tabindex="0">AppCenter.SetLogUrl("\(server)");
      AppCenter.Start("\(secret)", typeof(Crashes));</pre>
      """
  }
}
