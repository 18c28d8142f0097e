/// How the page of a triage looks: on a screen and on a phone, light and dark, and on paper.
enum PageStyle {
  static let css = """
    :root{color-scheme:light dark;--ground:#fff;--raised:#f6f7f9;--line:#dcdfe4;--text:#1b1f24;
    --quiet:#5f6873;--accent:#0b62c4;--danger:#b3261e;--good:#1a7f37;--warn:#8a5a00;--bar:#cfe1f7}
    @media (prefers-color-scheme:dark){:root{--ground:#14171b;--raised:#1d2126;--line:#343a42;
    --text:#e6e9ed;--quiet:#9aa4b0;--accent:#6cb0ff;--danger:#ff8a80;--good:#6fd08c;--warn:#e8b659;
    --bar:#27405e}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--text);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
    main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
    h1{font-size:1.5rem;margin:0 0 .25rem}
    h2{font-size:1.15rem;margin:2.25rem 0 .75rem}
    h3{font-size:.95rem;margin:1.25rem 0 .5rem}
    p{margin:.25rem 0}
    .quiet{color:var(--quiet)}
    code,.mono,.stack{font:.86rem/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",
    monospace;overflow-wrap:anywhere}
    .tiles{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0 0;padding:0;list-style:none}
    .tiles li{flex:1 1 7.5rem;background:var(--raised);border:1px solid var(--line);
    border-radius:.5rem;padding:.6rem .8rem}
    .tiles b{display:block;font-size:1.45rem;line-height:1.2;font-variant-numeric:tabular-nums}
    .group{border:1px solid var(--line);border-radius:.5rem;margin:0 0 .75rem;overflow:hidden}
    .group>summary{cursor:pointer;padding:.75rem .9rem;display:grid;column-gap:.9rem;
    grid-template-columns:3.5rem minmax(0,1fr);list-style:none;background:var(--raised)}
    .group>summary::-webkit-details-marker{display:none}
    .group>summary{position:relative;padding-right:2.2rem}
    .group>summary::after{content:"▸";position:absolute;right:.9rem;top:.75rem;color:var(--quiet)}
    .group[open]>summary::after{content:"▾"}
    summary:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
    .count{font-size:1.35rem;font-weight:650;line-height:1.3;text-align:right;
    font-variant-numeric:tabular-nums}
    .signature{font-weight:650;overflow-wrap:anywhere}
    .reason{color:var(--danger);overflow-wrap:anywhere}
    .where{color:var(--accent)}
    .share{grid-column:1/-1;height:.25rem;background:var(--line);border-radius:.2rem;
    margin:.55rem 0 0;overflow:hidden}
    .share i{display:block;height:100%;background:var(--accent)}
    .body{padding:.25rem .9rem 1rem}
    table{border-collapse:collapse;width:100%;font-size:.9rem}
    th{text-align:left;color:var(--quiet);font-weight:500}
    th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top;
    overflow-wrap:anywhere}
    .number{text-align:right;font-variant-numeric:tabular-nums}
    dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.5rem 0;
    font-size:.9rem}
    dt{color:var(--quiet)}
    dd{margin:0;overflow-wrap:anywhere}
    .stack{list-style:none;margin:.4rem 0;padding:.4rem 0;border-top:1px solid var(--line);
    border-bottom:1px solid var(--line)}
    .stack li{display:grid;grid-template-columns:2.4rem minmax(0,1fr) minmax(0,auto);
    column-gap:.7rem;padding:.1rem 0}
    .stack .n{color:var(--quiet);text-align:right}
    .stack .at{color:var(--accent);text-align:right;max-width:24rem}
    .stack .own{font-weight:650}
    .stack .own .n,.stack .own .at{font-weight:400}
    .stack .system,.stack .system .at,.stack .fold{color:var(--quiet)}
    .stack .fold{display:block;padding-left:3.1rem}
    .stack .stack{border:0;margin:0;padding:0 0 0 0;margin-left:-3.1rem}
    .tag{font-size:.75rem;border:1px solid var(--line);border-radius:.7rem;padding:0 .45rem;
    color:var(--quiet);font-weight:400;white-space:nowrap}
    .report{border-top:1px solid var(--line);padding:.35rem 0}
    .report>summary,.fold>summary{cursor:pointer}
    .message{white-space:pre-wrap;background:var(--raised);border-radius:.35rem;padding:.5rem .7rem;
    margin:.5rem 0;overflow-wrap:anywhere}
    .found{color:var(--good)}.missing,.stripped{color:var(--warn)}.damaged{color:var(--danger)}
    @media (max-width:38rem){
    .stack li{grid-template-columns:1.6rem minmax(0,1fr)}
    .stack .at{grid-column:2;text-align:left;max-width:none;font-weight:400}
    .stack .fold{padding-left:2.3rem}.stack .stack{margin-left:-2.3rem}
    .group>summary{grid-template-columns:2.4rem minmax(0,1fr);padding:.6rem .6rem}
    .body{padding:.25rem .6rem .8rem}
    dl{grid-template-columns:1fr;gap:0}dd{margin:0 0 .35rem}}
    @media print{
    :root{--ground:#fff;--raised:#fff;--line:#bbb;--text:#000;--quiet:#444;--accent:#000;
    --danger:#000}
    main{max-width:none;padding:0}
    .group{overflow:visible}
    .group::details-content{content-visibility:visible;display:block;height:auto}
    .reports{display:none}
    .stack li,.group>summary{break-inside:avoid}}
    """
}
