// Writes patterns.txt beside this file, from moment in Debian's package node-moment:
//
//     NODE_PATH=/usr/share/nodejs node make_patterns.js
//
// One case a line, with tabs between: milliseconds since 1970, offset in minutes, pattern, text.
const fs = require("fs");
const path = require("path");
const moment = require("moment");

const tokens = ("M Mo MM MMM MMMM Q Qo D Do DD DDD DDDo DDDD d do dd ddd dddd e E w wo ww W Wo WW YY YYYY Y gg gggg " +
    "GG GGGG A a H HH h hh k kk m mm s ss S SS SSS Z ZZ X x LT LTS L LL LLL LLLL l ll lll llll").split(" ");
const mixed = [
    "YYYY-MM-DD[T]HH:mm:ss.SSS[Z]", "M/D/YYYY h:mma", "D/M/YYYY HH:mm", "dddd [the] Do [of] MMMM", "MMMMM", "HHH",
    "[YYYY] YYYY", "[a] b] c", "[unclosed YYYY", "\\YYYY YYYY", "\\", "[[YYYY]]", "[]", "YYYYMMDDHHmmss", "ddddd",
    "LLLLL", "\u4eca\u5929 MM\u6708DD\u65e5", "hh:mm A", "[L]L[l]l", "Qo [quarter]", "!@#$%^&*()", "DDDDD",
];

let state = 12345;
function random(limit) {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % limit;
}

const lines = [];
function add(time, offset, pattern) {
    lines.push([time, offset, pattern, moment(time).utcOffset(offset).locale("en").format(pattern)].join("\t"));
}

const first = Date.UTC(1000, 0, 1);
const days = (Date.UTC(9999, 0, 1) - first) / 86400000;
for (const pattern of tokens) {
    for (let i = 0; i < 12; i++) {
        const year = 1969 + random(80);
        const edge = Date.UTC(year, 0, 1) + (random(10) - 5) * 86400000 + random(86400000);
        const any = first + random(days) * 86400000 + random(86400000);
        add(i % 2 ? edge : any, [0, 480, -210, 345, -720][i % 5], pattern);
    }
}
for (let hour = 0; hour < 24; hour++) add(hour * 3600000, 0, "H HH h hh k kk A a");
for (let day = 0; day < 31; day++) add(day * 86400000, 0, "Do DDDo wo Wo do");
for (const pattern of mixed) add(1714557600123, 480, pattern);
fs.writeFileSync(path.join(__dirname, "patterns.txt"), lines.join("\n") + "\n");
