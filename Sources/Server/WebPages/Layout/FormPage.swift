internal import HTTP
internal import ServerCore

/// The page with the form, to link back to after a refusal.
struct FormPage {
  let path: String
  /// Its name in a link: `TERN-12`.
  let name: String

  /// - Parameters:
  ///   - head: The head of the form's request.
  ///   - form: Its fields; `back` names the page where several have the same form.
  init(of head: RequestHead, _ form: QueryItems) {
    let parts = head.segments
    func path(_ count: Int) -> String {
      parts.prefix(count).map { "/" + String($0).inAddress }.joined()
    }
    func part(_ index: Int) -> String { index < parts.count ? String(parts[index]) : "" }
    switch part(0) {
    case "groups" where parts.count > 1: (self.path, name) = (path(2), part(1))
    case "groups": (self.path, name) = (SignInPages.localPath(form["back"]), "the groups")
    case "releases" where parts.count > 2:
      (self.path, name) = (path(3), "\(part(1)) \(part(2))")
    case "releases": (self.path, name) = ("/releases", "the releases")
    case "apps" where part(2) == "configuration":
      (self.path, name) = (path(3), "the remote configuration of \(part(1))")
    case "apps" where part(2) == "upload":
      (self.path, name) = (path(3), "the release to add")
    case "apps" where part(2) == "files": (self.path, name) = (path(3), "the files of \(part(1))")
    case "files": (self.path, name) = (path(2), "the files")
    case "apps" where parts.count > 1: (self.path, name) = (path(2), part(1))
    case "apps": (self.path, name) = (path(1), "the apps")
    case "symbols": (self.path, name) = (path(1), "the missing symbols")
    case "account": (self.path, name) = (path(1), "your account")
    case "server" where part(1) == "audit": (self.path, name) = (path(2), "the audit log")
    case "server" where part(1) == "scrubbing":
      (self.path, name) = (path(2), "the scrubbing rules")
    case "server" where parts.count > 1: (self.path, name) = (path(2), "the \(part(1))")
    default: (self.path, name) = ("/", "the groups")
    }
  }
}
