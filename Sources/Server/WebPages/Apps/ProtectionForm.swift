internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The form for the roles that see parts of an app's reports.
struct ProtectionForm {
  let call: PageCall
  let app: AppRecord

  private var isAdmin: Bool { call.visitor.account.allows(.admin) }

  var form: HTML {
    let off: HTML = isAdmin ? .none : " disabled"
    let fields = ReportProtection.Part.allCases.map { part -> HTML in
      let options = ReportProtection.Reader.allCases.map { reader -> HTML in
        let mark: HTML = reader == app.protection.leastReader(of: part) ? " selected" : .none
        return "<option value=\"\(reader.rawValue)\"\(mark)>\(Self.words(reader))</option>"
      }
      return """
        <label><span>\(Self.title(of: part))</span><select name="\(part.rawValue)"\(off)>\(options)</select></label>
        """
    }
    let button: HTML = isAdmin ? "<p><button class=\"primary\">Save</button></p>" : .none
    return """
      <form class="card" method="post" action="\(AppsView.path(app.name))/protection">\(call.formField)
      <p class="quiet">Who sees these parts on pages, through tokens and in tools, and may search by them. The \
      submission contains the other parts: it is hidden from those who do not see all of them.</p>
      <div class="fields">\(fields)</div>
      \(button)</form>
      """
  }

  private static func title(of part: ReportProtection.Part) -> String {
    switch part {
    case .user: "Users, installations, sessions, comments"
    case .properties: "Properties that the app set"
    case .log: "Events before the crash, standard error"
    case .submission: "Submission and attachments"
    }
  }

  private static func words(_ reader: ReportProtection.Reader) -> String {
    switch reader {
    case .viewer: "everyone"
    case .triage: "triage and admins"
    case .admin: "admins only"
    }
  }

  /// The protection that the form describes.
  ///
  /// - Throws: `ServiceError` if a part is missing: a form that is cut short must not make it visible.
  func protection() throws -> ReportProtection {
    var protection = ReportProtection()
    for part in ReportProtection.Part.allCases {
      guard let reader = call.form[part.rawValue].flatMap(ReportProtection.Reader.init(rawValue:))
      else { throw ServiceError("choose who sees each part", .wrongUsage) }
      protection[part] = reader
    }
    return protection
  }
}
