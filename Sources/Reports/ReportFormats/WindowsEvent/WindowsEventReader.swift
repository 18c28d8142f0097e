internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A program's crash or hang as Windows itself reports it.
  static let windowsEvent = ReportFormat("windows-event")
}

extension Headline.Kind {
  /// `Faulting application name: tern.exe, version: 1.0.0.0, time stamp: 0x68862e21`
  fileprivate static let faultingApplication = Headline.Kind("faulting application")
  /// The old form in one line.
  fileprivate static let faultingLine = Headline.Kind("faulting application in one line")
  /// `Event Name: APPCRASH`, `EventType=APPCRASH`, `Problem Event Name: APPCRASH`
  fileprivate static let problemSignature = Headline.Kind("problem signature")
  /// `<Data Name='AppName'>tern.exe</Data>`
  fileprivate static let eventData = Headline.Kind("event data")
}

/// Crashes and hangs as Windows reports them: events 1000 and 1001 of the Application log as text and as XML,
/// `Report.wer`, and the problem signature of its dialogs.
///
///     Faulting application name: tern.exe, version: 2.16.50.0, time stamp: 0x68862e21
///     Faulting module name: terncore.dll, version: 2.16.50.0, time stamp: 0x68862e22
///     Exception code: 0xc0000005
///     Fault offset: 0x0000000000308fb6
///     Faulting process id: 0x6E60
///     Faulting application start time: 0x1DC1038F3694ED0
///     Faulting application path: C:\Program Files\Tern\tern.exe
///     Faulting module path: C:\Program Files\Tern\terncore.dll
///     Report Id: d31cbe9a-2818-4948-ab7f-d6b90b4c90d3
///
/// The lines of an event have one order in all languages.
///
/// Source: the event log of Windows XP to 11, and its `Report.wer`.
enum WindowsEventReader: LogReader {
  static let format = ReportFormat.windowsEvent
  static let fileExtension = "txt"

  static let headlines =
    names.map { HeadlineRule(.faultingApplication, $0, locate: application) }
    + [
      HeadlineRule(.faultingLine, "Faulting application ") { text, mark, _ in
        let end = text.find(10, from: mark) ?? text.byteCount
        let line = text.between(mark, min(end, mark + 2048))
        return line.contains(", version ") && line.contains(" module ")
          ? Headline.Location(start: mark, content: mark + 21) : nil
      },
      HeadlineRule(.problemSignature, "Event Name:") { text, mark, lines in
        let start = text.has("Problem ", at: mark - 8) ? mark - 8 : mark
        return Headline.Location(start: start, content: mark + 11)
      },
      HeadlineRule(.problemSignature, "EventType=") { text, mark, lines in
        text.between(mark, mark + 4096).contains("Sig[0]")
          ? Headline.Location(start: mark, content: mark + 10) : nil
      },
      HeadlineRule(.eventData, "Application Error") { text, mark, lines in
        // Before Windows 10 the values have no names.
        let rest = text.between(mark, mark + 4096)
        guard let data = rest.find("<Data>"), rest.upTo(data).contains("EventData") else {
          return nil
        }
        return Headline.Location(start: mark, content: mark)
      },
      HeadlineRule(.eventData, "Name='AppName'>"), HeadlineRule(.eventData, "Name=\"AppName\">"),
    ]

  /// The starts of the first line in the languages of Windows.
  private static let names: [StaticString] = [
    "Faulting application name: ", "Name der fehlerhaften Anwendung: ",
    "Nom de l’application défaillante", "Nom de l'application défaillante",
    "Nombre de la aplicación con errores: ", "Nome dell'applicazione che ha generato l'errore: ",
    "Nome do aplicativo com falha: ", "Nome da aplicação com falha: ", "Имя сбойного приложения: ",
    "Nazwa aplikacji powodującej błąd: ", "障害が発生しているアプリケーション名: ", "错误应用程序名称: ",
    "失敗的應用程式名稱: ", "오류 있는 응용 프로그램 이름: ", "Naam van toepassing met fout: ",
    "Hatalı uygulama adı: ", "Název chybující aplikace: ", "Felet uppstod i programmet med namn: ",
  ]

  private static let application: HeadlineRule.Locate = { text, mark, lines in
    let end = text.find(10, from: mark) ?? text.byteCount
    // The time stamp is in the line.
    guard text.between(mark, min(end, mark + 2048)).contains("0x") else { return nil }
    return Headline.Location(start: mark, content: mark)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = WindowsEventParser()
    let first = text.between(headline.start, headline.line.upperBound).trimmed
    let rest = text.between(headline.content, headline.line.upperBound).trimmed
    switch headline.kind {
    case .faultingLine:
      parser.readOneLine(rest)
      return parser.finished().map { LoggedReport(report: $0) }
    case .faultingApplication: _ = parser.readEvent(first)
    case .eventData: parser.readData(text.part(headline.start..<headline.line.upperBound))
    default: parser.begin(rest)
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 12, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      // The next one begins.
      if line.has("EventType=") || line.contains("Event Name:") { break }
      let isTaken =
        switch headline.kind {
        case .faultingApplication: parser.readEvent(line)
        case .eventData: parser.readData(line)
        default: parser.readSignature(line)
        }
      if parser.isComplete {
        end = lines.position
        break
      }
      if isTaken { end = lines.position }
      others = isTaken ? 0 : others + 1
    }
    return parser.finished().map {
      LoggedReport(report: $0, end: min(end, text.byteCount))
    }
  }
}
